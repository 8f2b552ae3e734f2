using System.Reflection;
using System.Runtime.CompilerServices;
using Real = System.Threading.CancellationTokenRegistration;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="Real"/>, whose Dispose waits for a running callback. Without the baton for that callback's thread,
/// Dispose would never return.
/// </summary>
internal record struct CancellationTokenRegistration
{
    private Real _real;
    private Store? _store;

    internal readonly CancellationToken Token => _real.Token;

    public static implicit operator CancellationTokenRegistration(Real real)
    {
        Point("Registered");
        var store = new Store();
        store.Make();
        return new CancellationTokenRegistration { _real = real, _store = store };
    }

    internal readonly bool Unregister([CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        var site = new Site(OperationKind.DisposeRegistration, nameof(Unregister), file, line);
        var me = LogicalThread.Current;
        me.Begin(site);
        var isDone = _store is { IsSeen: true } && _real.Unregister();
        me.Note(site, isDone ? "done" : "too late");
        me.End(site);
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

        var me = LogicalThread.Current;
        me.Begin(site);
        if (!real.Unregister())
        {
            var myId = Environment.CurrentManagedThreadId;
            me.Block(() => !IsRunningElsewhere(real, myId), site);
        }

        me.Note(site);
        me.End(site);
    }

    /// <summary>
    /// The store of a new registration into a field. While it stays in its thread's buffer, other threads find no
    /// registration.
    /// </summary>
    private sealed class Store
    {
        private bool _isMade;

        internal bool IsSeen => SharedMemory.Load(LogicalThread.Current, ref _isMade);

        internal void Make() => SharedMemory.Store(LogicalThread.Current, ref _isMade, true, isPlain: true);
    }

    // The framework does not tell whether a callback runs, but its private fields do.
    private static bool IsRunningElsewhere(Real registration, int me)
    {
        if (Field(registration, "_node") is not { } node)
        {
            return false;
        }

        var registrations = Field(node, "Registrations")!;
        return Equals(Field(registrations, "ExecutingCallbackId"), Field(registration, "_id"))
            && !Equals(Field(registrations, "ThreadIDExecutingCallbacks"), me);
    }

    private static object? Field(object owner, string name) =>
        owner.GetType().GetField(name, BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)!
            .GetValue(owner);
}
