namespace Orleans.Timers.Scalable.Tests;

/// <summary>Orleans' own grain timers and reminders on the service's clock.</summary>
public sealed class GrainTimerTests(TwoSilos silos)
{
    private const string Reminder = "reminder";
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(50);

    [Fact]
    public async Task GrainTimer_OfASilo_FiresOnTheService()
    {
        var timers = silos.Second.Timers();
        var ticked = new SemaphoreSlim(0);
        var before = timers.GetSnapshot().Scheduled;
        var grain = silos.Second.NewGrain();
        await grain.Get(self => self.RegisterGrainTimer(_ => Task.FromResult(ticked.Release()), s_period, s_period));

        await Ticks(ticked, 5);

        // Each firing arms the next one, so five firings are at least five schedulings.
        Assert.InRange(timers.GetSnapshot().Scheduled, before + 5, long.MaxValue);
        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");
    }

    [Fact]
    public async Task Reminder_OfASilo_FiresOnTheServiceAndActivatesTheGrain()
    {
        var reminded = new SemaphoreSlim(0);
        var before = Scheduled();
        var grain = silos.First.NewGrain();
        grain.On(GrainMoment.Reminder, _ => reminded.Release());
        await grain.Run(static self => self.RegisterOrUpdateReminder(Reminder, s_period, s_period));
        await Ticks(reminded, 2);

        var activation = silos.Activation(grain);
        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");
        await Ticks(reminded, 3);

        Assert.NotSame(activation, silos.Activation(grain));
        Assert.InRange(Scheduled(), before + 3, long.MaxValue);
        await grain.Run(static async self => await self.UnregisterReminder((await self.GetReminder(Reminder))!));

        // Either silo may keep the reminder.
        long Scheduled() => silos.Cluster.Silos.Sum(static silo => silo.Timers().GetSnapshot().Scheduled);
    }

    private static async Task Ticks(SemaphoreSlim ticked, int count)
    {
        for (var i = 0; i < count; i++)
        {
            await ticked.WaitAsync().Guarded("a tick comes");
        }
    }
}
