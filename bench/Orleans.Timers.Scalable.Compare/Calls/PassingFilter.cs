namespace Orleans.Timers.Scalable.Compare;

/// <summary>Does nothing, on both sides: what it costs is the price of Orleans' path through filters.</summary>
internal sealed class PassingFilter : IOutgoingGrainCallFilter, IIncomingGrainCallFilter
{
    public Task Invoke(IOutgoingGrainCallContext context) => context.Invoke();

    public Task Invoke(IIncomingGrainCallContext context) => context.Invoke();
}
