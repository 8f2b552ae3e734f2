using System.Threading.Tasks.Sources;

namespace Orleans.Timers.Scalable;

/// <summary>A delay whose lateness is measured when its awaiter resumes.</summary>
/// <remarks>
/// An asynchronous method around the delay would resume in the grain even for an awaiter that does not want to, and run
/// that one's code in the grain's turn. Here the awaiter alone decides where it resumes. In the grain, the wait for its
/// turn counts.
/// </remarks>
internal sealed class MeasuredDelay : IValueTaskSource
{
    private readonly ValueTask _delay;
    private readonly GrainTimerMetrics _metrics;
    private readonly IGrainContext _grain;
    private readonly TimeSpan _dueTime;
    private readonly long _begun;

    private MeasuredDelay(ValueTask delay, GrainTimerMetrics metrics, IGrainContext grain, TimeSpan dueTime)
    {
        (_delay, _metrics, _grain, _dueTime) = (delay, metrics, grain, dueTime);
        _begun = metrics.Now;
    }

    void IValueTaskSource.GetResult(short token)
    {
        _delay.GetAwaiter().GetResult();
        _metrics.WasLate(GrainTimerMetrics.Delay, _grain, _metrics.Since(_begun) - _dueTime);
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _delay switch
    {
        { IsCompleted: false } => ValueTaskSourceStatus.Pending,
        { IsCompletedSuccessfully: true } => ValueTaskSourceStatus.Succeeded,
        { IsCanceled: true } => ValueTaskSourceStatus.Canceled,
        _ => ValueTaskSourceStatus.Faulted,
    };

    void IValueTaskSource.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        var awaiter = _delay
            .ConfigureAwait(flags.HasFlag(ValueTaskSourceOnCompletedFlags.UseSchedulingContext))
            .GetAwaiter();
        if (flags.HasFlag(ValueTaskSourceOnCompletedFlags.FlowExecutionContext))
        {
            awaiter.OnCompleted(() => continuation(state));
        }
        else
        {
            awaiter.UnsafeOnCompleted(() => continuation(state));
        }
    }

    internal static ValueTask Of(ValueTask delay, GrainTimerMetrics metrics, IGrainContext grain, TimeSpan dueTime) =>
        new(new MeasuredDelay(delay, metrics, grain, dueTime), token: 0);
}
