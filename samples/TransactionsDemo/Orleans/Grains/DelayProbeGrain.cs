using TransactionsDemo.Experiment;
using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>Measures delays inside a grain: all are started in one turn, hence on one thread.</summary>
internal sealed class DelayProbeGrain(DemoTimers timers) : Grain, IDelayProbeGrain
{
    public Task<TimeSpan[]> MeasureAsync(TimeSpan[] dueTimes) => DelayProbe.MeasureAsync(timers, dueTimes);
}
