using System.Diagnostics.Metrics;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Metrics;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Two sources are added to a new meter at once. Its instruments are created once.</summary>
internal sealed class FirstSourcesOfAMeter : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var instruments = MeterInstruments<object>.Of(new Meter("exploration"));
        var made = 0;
        foreach (var name in new[] { "publishes", "publishes too" })
        {
            run.Run(name, () => instruments.Add(new WeakReference<object>(instruments), _ => made++));
        }

        run.Check(() => Interleaving.Require(made == 1, $"The instruments were made {made} times."));
    }
}
