namespace Orleans.Timers.Scalable.Tests;

/// <summary>Orleans' own grain timers and reminders on the service's clock.</summary>
[Collection(nameof(VirtualTimeSilo))]
public sealed class GrainTimerTests(TwoSilos silos, VirtualTimeSilo virtualTime)
{
    private const string Reminder = "reminder";
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(50);

    [Fact]
    public async Task GrainTimer_OfASilo_FiresOnTheService()
    {
        var timers = silos.Second.Timers();
        var ticked = new SemaphoreSlim(0);
        var before = timers.GetSnapshot().Scheduled;
        var grain = silos.Second.NewGrain();
        await grain.Register(s_period, s_period, (_, _) => Release(ticked));

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
        grain.On(GrainMoment.Reminder, (_, _) => Release(reminded));
        await grain.Run(static self => self.RegisterOrUpdateReminder(Reminder, s_period, s_period));
        await Ticks(reminded, 2);

        var activation = silos.Activation(grain);
        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");
        await Ticks(reminded, 3);

        Assert.NotSame(activation, silos.Activation(grain));
        Assert.InRange(Scheduled(), before + 3, long.MaxValue);
        await grain.Run(static async self => await self.UnregisterReminder((await self.GetReminder(Reminder))!));

        // Either silo may keep the reminder.
        long Scheduled() => silos.Cluster.Silos.Sum(static silo =>
            silo.Timers().GetSnapshot().Scheduled);
    }

    [Fact]
    public async Task Tick_CallbackRunsForManyPeriods_NoneOverlapsAndThePeriodIsCountedFromItsEnd()
    {
        virtualTime.AdvanceToTick();
        var (ticked, ticks) = (new SemaphoreSlim(0), 0);
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var over = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var grain = virtualTime.Silo.NewGrain();
        await grain.Register(s_hour, s_hour, async (_, _) =>
        {
            ticked.Release();
            if (++ticks == 1)
            {
                await gate.Task;
                over.SetResult();
            }
        });

        await Advance(grain, s_hour - s_instant);
        Assert.Equal(0, ticks);
        await Advance(grain, s_instant);
        await Ticks(ticked, 1);
        await Advance(grain, s_hour * 5);
        Assert.Equal(1, ticks);
        gate.SetResult();
        await over.Task.Guarded("the first callback ends");
        await grain.Activate();
        await Advance(grain, s_hour - s_instant);
        Assert.Equal(1, ticks);
        await Advance(grain, s_instant);
        await Ticks(ticked, 1);

        await virtualTime.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");
        await Advance(grain, s_hour * 3);
        Assert.Equal(2, ticks);
    }

    private static Task Release(SemaphoreSlim ticked)
    {
        ticked.Release();
        return Task.CompletedTask;
    }

    private static async Task Ticks(SemaphoreSlim ticked, int count)
    {
        for (var i = 0; i < count; i++)
        {
            await ticked.WaitAsync().Guarded("a tick comes");
        }
    }

    private async Task Advance(IScriptedGrain grain, TimeSpan time)
    {
        virtualTime.Clock.Advance(time);

        // A tick is a message to the grain, which the clock sends. This message comes after it.
        await grain.Activate();
    }
}
