using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A timeout passes from tenant to tenant on two threads, and its timer rings on a third. Each of these threads knows
/// the timeout from an earlier tenancy. Their actions affect the present one only.
/// </summary>
internal abstract class LeaseOfOtherThreads : Scenario
{
    /// <summary>Whether the last tenancy ends by its timeout, and not by its caller's token.</summary>
    protected abstract bool TimesOut { get; }

    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        var caller = new CancellationTokenSource();
        TimeoutLease second = default, third = default;
        var step = 0;
        run.Run("one", () =>
        {
            service.RentTimeout(TimeSpan.FromMilliseconds(10)).Dispose();
            Done(1);
            Await(3);
            second.Dispose();
            Done(4);
            Await(5);
            if (!TimesOut)
            {
                Interleaving.Cancel(caller);
                Interleaving.Require(
                    third.Token.IsCancellationRequested, "The caller's token is cancelled, and the lease's is not.");
            }
        });
        run.Run("other", () =>
        {
            Await(2);
            second = service.RentTimeout(TimeSpan.FromMilliseconds(20));
            Done(3);
            Await(4);
            third = service.RentTimeout(TimeSpan.FromMilliseconds(40), caller.Token);
            Done(5);
            run.WaitUntil(() => third.Token.IsCancellationRequested, "end of the third tenancy");
            Interleaving.Require(
                third.HasTimedOut == TimesOut, $"It is {third.HasTimedOut} that the lease has timed out.");
        });
        run.Run("driver", () =>
        {
            Await(1);

            // The first tenant left the timer set.
            Pass(20);
            Done(2);
            if (TimesOut)
            {
                Await(5);
                Pass(60);
            }
        });
        run.Check(() =>
        {
            Interleaving.Require(
                !second.Token.IsCancellationRequested || second.Token == third.Token,
                "A timeout has passed after it was returned.");
            service.Dispose();
        });

        void Done(int number) => step = number;

        void Await(int number) => run.WaitUntil(() => step == number, $"step {number}");

        void Pass(int milliseconds)
        {
            clock.Advance(TimeSpan.FromMilliseconds(milliseconds));
            run.Pool.Drain();
        }
    }
}
