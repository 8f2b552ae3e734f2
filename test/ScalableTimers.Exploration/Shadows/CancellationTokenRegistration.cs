using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;
using Real = System.Threading.CancellationTokenRegistration;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="Real"/>, whose Dispose waits for a running callback. That callback's thread may not have the baton,
/// and then Dispose would never return.
/// </summary>
[Shadow]
internal record struct CancellationTokenRegistration
{
    // The framework does not say whether a callback runs, but its private fields do.
    private static readonly Func<Real, int, bool> s_isRunningElsewhere = CompileIsRunningElsewhere();

    private Real _real;
    private Store? _store;

    internal readonly CancellationToken Token => _real.Token;

    public static implicit operator CancellationTokenRegistration(Real real)
    {
        Interleaving.Point("Registered");
        var store = new Store();
        store.Make();
        return new CancellationTokenRegistration { _real = real, _store = store };
    }

    internal readonly bool Unregister([CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        var site = new Site(OperationKind.DisposeRegistration, nameof(Unregister), file, line);
        var me = LogicalThread.Current;
        me?.Run.Begin(me, site);
        var isDone = _store is { IsSeen: true } && _real.Unregister();
        me?.Run.Note(me, site, isDone ? "done" : "too late");
        me?.Run.End(me, site);
        return isDone;
    }

    internal readonly void Dispose([CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        var site = new Site(OperationKind.DisposeRegistration, nameof(Dispose), file, line);
        var real = _real;
        if (real == default)
        {
            return;
        }

        if (LogicalThread.Current is not { } me)
        {
            real.Dispose();
            return;
        }

        me.Run.Begin(me, site);
        if (!real.Unregister())
        {
            var myId = Environment.CurrentManagedThreadId;
            me.Run.Block(me, () => !s_isRunningElsewhere(real, myId), site);
        }

        me.Run.Note(me, site, "");
        me.Run.End(me, site);
    }

    /// <summary>
    /// The store that puts a new registration into a field. It may stay in its thread's buffer, and until it has left
    /// that, other threads find no registration.
    /// </summary>
    private sealed class Store
    {
        private bool _isMade;

        internal bool IsSeen =>
            LogicalThread.Current is { Run.Buffers: { } buffers } me ? buffers.Load(me, ref _isMade) : _isMade;

        internal void Make()
        {
            if (LogicalThread.Current is { Run.Buffers: { } buffers } me)
            {
                buffers.Store(me, ref _isMade, true);
            }
            else
            {
                _isMade = true;
            }
        }
    }

    private static Func<Real, int, bool> CompileIsRunningElsewhere()
    {
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        var registration = Expression.Parameter(typeof(Real));
        var node = Expression.Field(registration, typeof(Real).GetField("_node", Any)!);
        var id = Expression.Field(registration, typeof(Real).GetField("_id", Any)!);
        var registrations = Expression.Field(node, node.Type.GetField("Registrations", Any)!);
        var running = Expression.Field(registrations, registrations.Type.GetField("ExecutingCallbackId", Any)!);
        var thread = Expression.Field(registrations, registrations.Type.GetField("ThreadIDExecutingCallbacks", Any)!);
        var me = Expression.Parameter(typeof(int));
        var isRunning = Expression.AndAlso(
            Expression.NotEqual(node, Expression.Constant(null, node.Type)),
            Expression.AndAlso(Expression.Equal(running, id), Expression.NotEqual(thread, me)));
        return Expression.Lambda<Func<Real, int, bool>>(isRunning, registration, me).Compile();
    }
}
