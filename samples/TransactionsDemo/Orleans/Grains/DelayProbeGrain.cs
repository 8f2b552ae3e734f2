using Orleans.Concurrency;
using TransactionsDemo.Experiment;
using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>
/// Measures delays inside a grain: all of a call are started in one turn, hence on one thread. Reentrant, since calls
/// overlap: under load they are made more often than one of them ends.
/// </summary>
[Reentrant]
internal sealed class DelayProbeGrain(DemoTimers timers) : Grain, IDelayProbeGrain
{
    public Task<TimeSpan[]> MeasureAsync(TimeSpan[] dueTimes) => DelayProbe.MeasureAsync(timers, dueTimes);
}
