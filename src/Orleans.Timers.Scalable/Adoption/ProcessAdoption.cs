using Microsoft.Extensions.Logging;
using ScalableTimers;

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

    /// <summary>Begins adoption unless it has begun. A user that joins twice has joined.</summary>
    internal void Join(object user, ILogger logger)
    {
        lock (_lock)
        {
            if (_users.Add(user) && _users.Count == 1)
            {
                Begin(new ForgivingLogger(logger));
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

        if (!AdoptionMark.TryTake(manager.Type, owner: this))
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
        lock (_lock)
        {
            if (_current is null)
            {
                AdoptionMark.Release(adoption.Manager.Type, owner: this);
            }
        }
    }
}
