using System.Reflection;
using Microsoft.Extensions.Logging.Testing;
using Orleans.Timers.Scalable.Transactions.Waits;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// A server of this process' static timers, for one test. At the end it gives the timers back in any case.
/// </summary>
internal sealed class StaticTimersRun : IAsyncDisposable
{
    private readonly StaticTimerSilos _process;
    private readonly StaticTimerManager _manager = Read();
    private readonly List<object> _others;

    internal StaticTimersRun(Func<StaticTimerManager, StaticTimerManager>? tamper = null, bool putOthersAside = true)
    {
        _others = putOthersAside ? PutAside(_manager) : [];
        _process = new StaticTimerSilos(() => tamper is null ? Read() : tamper(Read()));
        _process.Join(this, Log);
        Server = _process.Current
            ?? throw new InvalidOperationException($"Serving did not begin: {Log.LatestRecord}");
    }

    internal FakeLogger Log { get; } = new();

    internal StaticTimerServer Server { get; }

    internal ServedTimers Timers => Server.Timers;

    internal static StaticTimerManager Read() => StaticTimerManagerShape.Read(typeof(BatchWorker).Assembly.GetType);

    /// <summary>
    /// Waits until Orleans no longer checks its timers. Before that, it may end some early.
    /// </summary>
    internal Task UntilTakenOver() => Eventually.True(
        () => Log.Collector.GetSnapshot().Any(
            static entry => entry.Message.StartsWith("Scalable timers serve", StringComparison.Ordinal)),
        "the server takes over");

    /// <summary>Waits until this many timers have been served.</summary>
    internal async Task UntilServed(long timers)
    {
        while (Timers.Served < timers)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(2));
        }
    }

    /// <summary>The current server.</summary>
    internal StaticTimerServer? Current => _process.Current;

    internal string Join(object user) => _process.Join(user, Log);

    internal Task Leave(object? user = null) => _process.Leave(user ?? this);

    public async ValueTask DisposeAsync()
    {
        await Leave().Guarded("Orleans gets its timers back");
        _others.ForEach(_manager.Register);
        _others.Clear();
    }

    /// <summary>
    /// Removes the timers that the silos of other tests have left pending in Orleans' lists, so that a test can count
    /// its own.
    /// </summary>
    private static List<object> PutAside(StaticTimerManager manager)
    {
        var timers = new List<object>();
        foreach (var queue in manager.Queues().OfType<object>())
        {
            SpinWait.SpinUntil(() => manager.TryLock(queue));
            var chain = manager.Detach(queue);
            manager.Unlock(queue);
            for (var timer = chain; timer is not null; timer = manager.TakeNext(timer))
            {
                timers.Add(timer);
            }
        }

        return timers;
    }
}

/// <summary>Orleans' static timer manager, as its own code calls it.</summary>
internal static class StaticDelays
{
    private static readonly Func<TimeSpan, CancellationToken, Task<bool>> s_delay = typeof(BatchWorker).Assembly
        .GetType("Orleans.Timers.Internal.TimerManager", throwOnError: true)!
        .GetMethod("Delay", BindingFlags.Static | BindingFlags.Public)!
        .CreateDelegate<Func<TimeSpan, CancellationToken, Task<bool>>>();

    internal static Task<bool> Delay(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        s_delay(dueTime, cancellationToken);

    /// <summary>
    /// Returns whether a delay ended with true and not early, by the wall clock.
    /// </summary>
    internal static async Task<bool> EndsOnTime(TimeSpan dueTime)
    {
        var due = DateTime.UtcNow + dueTime;
        return await Delay(dueTime) && DateTime.UtcNow >= due;
    }
}
