using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>Takes a timeout that came with a request off it, since it is not for the calls of the callee.</summary>
/// <remarks>
/// It comes from callers that set it by hand and have no <see cref="CallTimeoutFilter"/>. What a grain starts to serve
/// many requests would keep it.
/// </remarks>
internal sealed class IncomingCallTimeoutFilter(TimerService timers) : IIncomingGrainCallFilter
{
    public Task Invoke(IIncomingGrainCallContext context)
    {
        CallTimeout.Take(timers);
        return context.Invoke();
    }
}
