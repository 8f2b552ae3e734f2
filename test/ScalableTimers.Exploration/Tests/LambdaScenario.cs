using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Tests;

/// <summary>A scenario in one expression, for tests of the engine.</summary>
internal sealed class LambdaScenario(
    Action<Interleaving> arrange, TimePasses timePasses = TimePasses.WhenNothingElseCan)
    : Scenario
{
    internal override TimePasses TimePasses => timePasses;

    internal override void Arrange(Interleaving run) => arrange(run);
}
