namespace Orleans.Timers.Scalable.Compare;

/// <summary>Does nothing, on both sides. Its cost is the cost of Orleans' path through filters.</summary>
internal sealed class PassingFilter : IOutgoingGrainCallFilter, IIncomingGrainCallFilter
{
    public Task Invoke(IOutgoingGrainCallContext context) => context.Invoke();

    public Task Invoke(IIncomingGrainCallContext context) => context.Invoke();
}
