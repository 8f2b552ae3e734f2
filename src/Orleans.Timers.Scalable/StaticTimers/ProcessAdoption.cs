using Microsoft.Extensions.Logging;
using ScalableTimers.Firing;

namespace Orleans.Timers.Scalable;

/// <summary>The one adoption of a process, which its silos and clients share: the first begins it, the last ends it.</summary>
/// <remarks>
/// The manager is static, so adoption is too: its timers wait in a service of its own on the system clock, never in a
/// silo's, which may end sooner or keep a test's time.
/// </remarks>
#pragma warning disable CA1001 // What is current is disposed when it has ended; this lives as long as the process.
internal sealed partial class ProcessAdoption
#pragma warning restore CA1001
{
    private readonly Lock _lock = new();
    private readonly Func<StaticTimerManager> _readManager;
    private readonly HashSet<object> _users = new(ReferenceEqualityComparer.Instance);
    private TimerAdoption? _current;
    private Task _lastReturn = Task.CompletedTask;
    private ILogger? _logger;

    internal ProcessAdoption(Func<StaticTimerManager> readManager) => _readManager = readManager;

    /// <summary>The adoption of the Orleans that this process uses.</summary>
    internal static ProcessAdoption Instance { get; } = new(static () => StaticTimerManagerShape.Read(typeof(BatchWorker).Assembly.GetType));

    /// <summary>The adoption that is under way; null if nobody wants it or it cannot be had.</summary>
    internal TimerAdoption? Current
    {
        get
        {
            lock (_lock)
            {
                return _current;
            }
        }
    }

    /// <summary>
    /// Begins adoption unless it has begun; each who joins tries. A user that joins twice has joined.
    /// </summary>
    internal void Join(object user, ILogger logger)
    {
        lock (_lock)
        {
            if (_users.Add(user) && _current is null)
            {
                _logger = new NonThrowingLogger(logger);
                Begin(_logger);
            }
        }
    }

    /// <summary>Ends adoption if nobody else wants it.</summary>
    /// <returns>A task that completes when Orleans serves its timers by itself again, or at once if others remain.</returns>
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
        StaticTimerManager manager;
        try
        {
            manager = _readManager();
        }
        catch (MissingMemberException difference)
        {
            LogUnknownShape(logger, difference.Message);
            return;
        }

        if (!AdoptionMark.TryTake(manager.Type, owner: this, BeginIfWanted))
        {
            LogOtherCopy(logger);
            return;
        }

        _current = new TimerAdoption(manager, logger);
        _current.Start(after: _lastReturn);
    }

    private async Task End(TimerAdoption adoption)
    {
        adoption.Stop();
        await adoption.Ended.ConfigureAwait(false);
        adoption.Dispose();
        Action? tellOthers;
        lock (_lock)
        {
            tellOthers = _current is null ? AdoptionMark.Release(adoption.Manager.Type, owner: this) : null;
        }

        tellOthers?.Invoke();
    }

    /// <summary>Another copy of the library has left the manager.</summary>
    private void BeginIfWanted()
    {
        lock (_lock)
        {
            if (_users.Count > 0 && _current is null && _logger is not null)
            {
                Begin(_logger);
            }
        }
    }
}
