namespace TransactionsDemo.Report;

/// <summary>Estimates how long steps of about the same length will still take. From any thread.</summary>
/// <param name="steps">How many there are.</param>
/// <param name="expected">How long one is thought to take, as long as none has been finished.</param>
/// <param name="clock">What tells the time.</param>
internal sealed class RemainingTime(int steps, TimeSpan expected, TimeProvider clock)
{
    private readonly Lock _lock = new();
    private readonly long _startedAt = clock.GetTimestamp();
    private long _stepStartedAt = clock.GetTimestamp();
    private int _finished;

    /// <summary>A step has ended, and the next begins.</summary>
    public void FinishStep()
    {
        lock (_lock)
        {
            _finished++;
            _stepStartedAt = clock.GetTimestamp();
        }
    }

    /// <summary>A step that takes longer than expected has nothing left, and no step less.</summary>
    public TimeSpan Estimate()
    {
        lock (_lock)
        {
            var step = _finished == 0 ? expected : clock.GetElapsedTime(_startedAt, _stepStartedAt) / _finished;
            var spent = clock.GetElapsedTime(_stepStartedAt);
            return _finished >= steps
                ? TimeSpan.Zero
                : ((steps - _finished) * step) - (spent < step ? spent : step);
        }
    }

    public override string ToString()
    {
        var seconds = Math.Ceiling(Estimate().TotalSeconds);
        return seconds < 100 ? $"about {seconds:N0} s left" : $"about {seconds / 60:N0} min left";
    }
}
