namespace ScalableTimers.Peer;

/// <summary>
/// The service's timers, fired on the pool, or on the driver's thread like Netty's wheel and the one in C.
/// </summary>
internal sealed class ServiceTimers(bool onDriverThread) : ITimers
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(30);
    private readonly TimerService _service = new(
        new ScalableTimerOptions
        {
            CallbackThread = onDriverThread ? CallbackThread.DriverThread : CallbackThread.ThreadPool,
        });

    public string Name => onDriverThread ? "TimerService-thread" : "TimerService";

    public object? Schedule(TimerCallback callback, object? state, TimeSpan dueTime)
    {
        _service.Schedule(callback, state, dueTime);
        return null;
    }

    public int ScheduleThenCancel(TimerCallback callback, int count)
    {
        var cancelled = 0;
        for (var i = 0; i < count; i++)
        {
            cancelled += _service.Schedule(callback, null, s_timeout).Cancel() ? 1 : 0;
        }

        return cancelled;
    }

    public void Dispose() => _service.Dispose();
}
