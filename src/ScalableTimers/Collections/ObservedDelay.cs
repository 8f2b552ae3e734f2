namespace ScalableTimers.Collections;

/// <summary>A delay that somebody else hears of when it ends. Few are, so the others do not carry the field.</summary>
internal sealed class ObservedDelay(TimerCollection collection) : DelayEntry(collection)
{
    // The thread that prepares it sets it, the one that completes it clears it.
    internal DelayObserver? Observer { get; set; }

    internal override bool IsObserved => true;

    private protected override void OnCompleting()
    {
        Observer?.OnEnded();
        Observer = null;
    }
}
