namespace ScalableTimers.StressTests;

/// <summary>
/// Services that are stopped and disposed at random moments under load, and the clock that takes over.
/// </summary>
[Trait("Category", "Stress")]
public class StoppingTests
{
    // Calibrated in Release on 2 cores. Each of these failed within 3 services in every run:
    // starting delays after StopAsync (no check of the phase in TimerCollection.Start): 3 of 3
    // scheduling on a collection out of service (no check of the phase in EnterOpen): 3 of 3
    //   letting a thread join a disposed service (_phase not kept in CollectionRegistry.EndPhase): 2 of 2
    // not handing over a timer that is changed later (no HandOver in ProviderTimer.Change): 2 of 2
    // treating every ring of a successor's alarm as due (ClockAlarm.Wake and ProviderTimer.TryTakeDue): 3 of 3
    [Fact]
    public async Task StopAndDispose_AtRandomMomentsUnderLoad_EndEverythingOnce()
    {
        var rounds = 0;
        for (var lastRoundAt = Stress.LastRoundAt(1, 90); !StressTime.IsOver(lastRoundAt); rounds++)
        {
            await new ServiceRound(rounds).RunAsync();
        }

        Stress.Log($"{rounds:N0} services stopped and disposed under load");
    }
}
