namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Orleans' own reminders on the service's clock, in real time and on two silos. Either silo may keep a reminder.
/// </summary>
public sealed class ReminderTests(TwoSilos silos)
{
    private const string Name = "reminder";
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(60);

    [Fact]
    public async Task Reminder_GrainHasDeactivated_ActivatesItAgain()
    {
        var (grain, order) = (silos.First.NewGrain(), new OrderLog());
        grain.On(GrainMoment.Reminder, (_, _) => order.Add("reminded"));
        await grain.Run(static self => self.RegisterOrUpdateReminder(Name, s_period, s_period));
        await order.Read(2);

        for (var i = 0; i < 3; i++)
        {
            var activation = silos.Activation(grain);
            activation.Deactivate(
                new(DeactivationReasonCode.ApplicationRequested, "by the test"), CancellationToken.None);
            await activation.Deactivated.Guarded("the grain deactivates");

            // On a busy machine there may have been more ticks than were read.
            order.Forget();
            await order.Read(2);
            Assert.NotSame(activation, silos.Activation(grain));
        }

        await Unregister(grain);
    }

    [Fact]
    public async Task Reminder_ReceiverTakesLongerThanThePeriod_NoneOverlaps()
    {
        var (inside, met) = (0, 0);
        var (grain, order) = (silos.Second.NewGrain(), new OrderLog());
        grain.On(GrainMoment.Reminder, async (self, cancellationToken) =>
        {
            met += Interlocked.Exchange(ref inside, 1);
            await self.Delays.Delay(s_period * 2, cancellationToken);
            Volatile.Write(ref inside, 0);
            await order.Add("reminded");
        });
        await grain.Run(static self => self.RegisterOrUpdateReminder(Name, s_period, s_period));

        await order.Read(4);
        await Unregister(grain);

        Assert.Equal(0, met);
    }

    [Fact]
    public async Task Reminder_RegisteredAgain_IsOneWithTheNewPeriod()
    {
        var (grain, order) = (silos.First.NewGrain(), new OrderLog());
        grain.On(GrainMoment.Reminder, (_, _) => order.Add("reminded"));
        await grain.Run(
            static self => self.RegisterOrUpdateReminder(Name, TimeSpan.FromHours(1), TimeSpan.FromHours(1)));

        await grain.Run(static self => self.RegisterOrUpdateReminder(Name, s_period, s_period));
        await order.Read(3);
        await grain.Run(static async self => Assert.Equal(Name, Assert.Single(await self.GetReminders()).ReminderName));

        await Unregister(grain);
    }

    [Fact]
    public async Task Reminder_Unregistered_ComesNoMore()
    {
        var (grain, order) = (silos.First.NewGrain(), new OrderLog());
        var count = 0;
        grain.On(GrainMoment.Reminder, (_, _) =>
        {
            Interlocked.Increment(ref count);
            return order.Add("reminded");
        });
        await grain.Run(static self => self.RegisterOrUpdateReminder(Name, s_period, s_period));
        await order.Read(2);
        await Unregister(grain);

        // A test cannot await an event that must not happen. So it waits until another reminder of the same period has
        // ticked five times.
        var (other, occasions) = (silos.First.NewGrain(), new OrderLog());
        other.On(GrainMoment.Reminder, (_, _) => occasions.Add("reminded"));
        await other.Run(static self => self.RegisterOrUpdateReminder(Name, s_period, s_period));
        await UntilItHasEnded().Guarded("the reminder comes no more");
        await Unregister(other);

        // One tick may have been on its way. The other silo learns of the end only at its next refresh.
        async Task UntilItHasEnded()
        {
            int last;
            do
            {
                last = Volatile.Read(ref count);
                await occasions.Read(5);
                occasions.Forget();
            }
            while (Volatile.Read(ref count) != last);
        }
    }

    private static Task Unregister(IScriptedGrain grain) =>
        grain.Run(static async self => await self.UnregisterReminder((await self.GetReminder(Name))!));
}
