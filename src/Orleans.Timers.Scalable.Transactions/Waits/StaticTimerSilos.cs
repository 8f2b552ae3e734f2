using Microsoft.Extensions.Logging;
using ScalableTimers.Firing;

namespace Orleans.Timers.Scalable.Transactions.Waits;

/// <summary>
/// Whether the static timers of a process are served. Its silos and clients share this: the first starts it, the last
/// stops it.
/// </summary>
/// <remarks>
/// The manager is static, so its server is too. The served timers wait in their own timer service on the system clock,
/// never in a silo's service, which may end sooner or use a test's clock.
/// </remarks>
#pragma warning disable CA1001 // End disposes the current server; this object lives as long as the process.
internal sealed partial class StaticTimerSilos
#pragma warning restore CA1001
{
    private readonly Lock _lock = new();
    private readonly Func<StaticTimerManager> _readManager;
    private readonly HashSet<object> _users = new(ReferenceEqualityComparer.Instance);
    private StaticTimerServer? _current;
    private Task _lastReturn = Task.CompletedTask;
    private string _outcome = "";

    internal StaticTimerSilos(Func<StaticTimerManager> readManager) => _readManager = readManager;

    /// <summary>The static timers of the Orleans that this process uses.</summary>
    internal static StaticTimerSilos Instance { get; } =
        new(static () => StaticTimerManagerShape.Read(typeof(BatchWorker).Assembly.GetType));

    /// <summary>The server of the timers; null if no user wants one, or if it could not begin.</summary>
    internal StaticTimerServer? Current => Volatile.Read(ref _current);

    /// <summary>
    /// Begins to serve the timers unless they already are. Each new user tries. Joining again has no effect.
    /// </summary>
    /// <returns>A phrase that says whether they are served and, if not, why.</returns>
    internal string Join(object user, ILogger logger)
    {
        lock (_lock)
        {
            if (_users.Add(user) && _current is null)
            {
                Begin(new NonThrowingLogger(logger));
            }

            return _current?.Ended.IsCompleted == true ? "left to Orleans (serving them has failed)" : _outcome;
        }
    }

    /// <summary>Stops serving the timers if no other user remains.</summary>
    /// <returns>
    /// A task that completes when Orleans serves its timers itself again, or at once if others remain.
    /// </returns>
    internal Task Leave(object user)
    {
        lock (_lock)
        {
            if (!_users.Remove(user) || _users.Count > 0 || _current is not { } ending)
            {
                return Task.CompletedTask;
            }

            _current = null;
            _lastReturn = End(ending);
            return _lastReturn;
        }
    }

    private void Begin(ILogger logger)
    {
        try
        {
            _current = new StaticTimerServer(_readManager(), logger);
            _current.Start(after: _lastReturn);
            _outcome = "served";
        }
        catch (MissingMemberException difference)
        {
            _outcome = $"left to Orleans (this version's manager is not known: {difference.Message})";
            LogUnknownShape(logger, difference.Message);
        }
    }

    private static async Task End(StaticTimerServer server)
    {
        server.Stop();
        await server.Ended.ConfigureAwait(false);
        server.Dispose();
    }

    [LoggerMessage(
        1,
        LogLevel.Warning,
        "Orleans continues to serve its static timers itself, because its timer manager differs from the expected one: "
            + "{Difference}. Use a version of Orleans.Timers.Scalable that knows this version of Orleans, or set "
            + "OrleansTimerOptions.ServeStaticTimers to false.")]
    private static partial void LogUnknownShape(ILogger logger, string difference);
}
