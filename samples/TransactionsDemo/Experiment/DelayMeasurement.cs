using TransactionsDemo.Load;
using TransactionsDemo.Probes;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Experiment;

/// <summary>How long one kind of timers took for some delays.</summary>
internal sealed record DelayMeasurement(LoadCase Case, TimeSpan[] Asked, TimeSpan[] Got)
{
    public IEnumerable<ProbeSample> Samples => Asked.Zip(Got, static (asked, got) =>
        new ProbeSample(ProbeKind.Application, asked.TotalMilliseconds, got.TotalMilliseconds));

    /// <summary>
    /// The errors, one sentence each. The experiment shows that other timers may be early. For scalable timers that is
    /// an error.
    /// </summary>
    public IEnumerable<string> Errors =>
        from each in Asked.Zip(Got)
        where Case.Timers == TimerKind.Scalable && each.Second < each.First
        select $"A delay of {each.First} ended after {each.Second}.";
}
