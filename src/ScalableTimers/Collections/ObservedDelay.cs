namespace ScalableTimers.Collections;

/// <summary>A delay that somebody else hears of when it ends. Rare, so it is neither pooled nor paid for by the others.</summary>
internal sealed class ObservedDelay(TimerCollection collection, DelayObserver observer) : DelayEntry(collection)
{
    internal override bool IsReusable => false;

    private protected override void OnCompleting() => observer.OnEnded();
}
