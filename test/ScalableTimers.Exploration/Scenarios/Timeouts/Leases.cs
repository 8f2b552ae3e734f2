using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Timeouts;
using static ScalableTimers.Exploration.Engine.Interleaving;
using static ScalableTimers.Exploration.Scenarios.Stage;

namespace ScalableTimers.Exploration.Scenarios.Timeouts;

/// <summary>Timeouts are rented, returned, cancelled and pass.</summary>
internal static class Leases
{
    /// <summary>
    /// A rented timeout passes, its caller's token is cancelled, and its tenant returns it, all at once. The next
    /// tenant's token is not cancelled.
    /// </summary>
    [Scenario]
    internal static void LeaseEndsInThreeWays(Interleaving run)
    {
        var stage = new Stage(run);
        var caller = new CancellationTokenSource();
        TimeoutLease former = default, next = default;
        run.Run(
            "tenants",
            prepare: () => former = stage.Rent(1, caller.Token),
            body: () =>
            {
                former.Dispose();
                next = stage.Rent(10);
            });
        run.Run("cancels", () => Cancel(caller));
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            former.Dispose();
            Require(!Registrations.Exist(caller), "A lease that is over is registered with the caller's token.");
            stage.Pass(8);
            Require(!next.Token.IsCancellationRequested, "A timeout of 100 ms has passed after 90 ms.");
            stage.Pass(4);
            Require(
                next is { Token.IsCancellationRequested: true, HasTimedOut: true },
                "A timeout of 100 ms has not passed after 130 ms.");
            stage.Service.Dispose();
        });
    }

    /// <summary>
    /// A timeout passes while its tenant registers it with the caller's token: nothing stays registered.
    /// </summary>
    [Scenario]
    internal static void LeaseTimesOutBesideItsRegistration(Interleaving run)
    {
        var stage = new Stage(run);
        var caller = new CancellationTokenSource();
        TimeoutLease lease = default;
        run.Run(
            "rents",
            prepare: () =>
            {
                stage.Schedule(1);
                stage.Rent(5, caller.Token).Dispose();
            },
            body: () =>
            {
                // It does not have the nearest deadline, because publishing that would be a fence.
                lease = stage.Rent(1, caller.Token);
                Point("has rented");
            });
        run.Run("driver", () => stage.Pass(2));
        run.Check(() =>
        {
            stage.Pass(2);
            Require(lease is { HasTimedOut: true, Token.IsCancellationRequested: true }, "A lease has not timed out.");
            Require(!Registrations.Exist(caller), "A lease that is over is registered with the caller's token.");
            stage.RequireOver(ticks: 1);
        });
    }

    /// <summary>
    /// A caller's token is cancelled while a tenant registers with it and returns the lease. The next tenant's token is
    /// not cancelled.
    /// </summary>
    [Scenario]
    internal static void LeaseCancelledBesideItsRegistration(Interleaving run)
    {
        var stage = new Stage(run);
        var caller = new CancellationTokenSource();
        TimeoutLease former = default, next = default;
        run.Run(
            "tenants",
            prepare: () => stage.Rent(5).Dispose(),
            body: () =>
            {
                former = stage.Rent(5, caller.Token);
                former.Dispose();
                next = stage.Rent(10);
            });
        run.Run("cancels", () => Cancel(caller));
        run.Run("returns again", () => former.Dispose());
        run.Check(() =>
        {
            Require(!Registrations.Exist(caller), "A lease that is over is registered with the caller's token.");
            stage.Pass(8);
            Require(!next.Token.IsCancellationRequested, "A timeout of 100 ms has passed after 80 ms.");
            stage.RequireOver(ticks: 3);
            Require(next.HasTimedOut, "A timeout of 100 ms has not passed after 110 ms.");
        });
    }

    /// <summary>Two threads return a lease each. Both are kept, and rented to different tenants.</summary>
    [Scenario]
    internal static void TwoLeasesReturned(Interleaving run)
    {
        var stage = new Stage(run);
        TimeoutLease one = default, other = default;
        run.Run(
            "returns",
            prepare: () =>
            {
                one = stage.Rent(5);
                other = stage.Rent(5);
            },
            body: () => one.Dispose());

        // What threads keep depends on their number: those of one processor share a stack.
        for (var i = 1; i < Environment.ProcessorCount; i++)
        {
            run.Run("idle", static () => { });
        }

        run.Run("returns too", () => other.Dispose());
        run.Check(() =>
        {
            CancellationToken[] tokens = [stage.Rent(5).Token, stage.Rent(5).Token, one.Token, other.Token];
            Require(tokens.Distinct().Count() == 2, "A timeout that was returned is not rented again.");
            stage.RequireOver(ticks: 6);
        });
    }

    /// <summary>Two threads return the same lease, and each rents another: they do not share a token.</summary>
    [Scenario]
    internal static void LeaseReturnedTwice(Interleaving run)
    {
        var stage = new Stage(run);
        TimeoutLease former = default;
        var next = new List<TimeoutLease>();
        run.Run("returns", prepare: () => former = stage.Rent(1), body: ReturnAndRent);
        run.Run("returns too", ReturnAndRent);
        run.Check(() =>
        {
            Require(next[0].Token != next[1].Token, "Two tenants have the same token.");
            stage.Pass(9);
            Require(
                !next.Exists(static lease => lease.Token.IsCancellationRequested),
                "A timeout of 100 ms has passed after 90 ms.");
            stage.Pass(2);
            Require(
                next.TrueForAll(static lease => lease.HasTimedOut), "A timeout of 100 ms has not passed after 110 ms.");
            stage.Service.Dispose();
        });

        void ReturnAndRent()
        {
            former.Dispose();
            next.Add(stage.Rent(10));
        }
    }

    /// <summary>
    /// A timeout's timer rings early in a tenancy, and again, on the same thread, in the next one: that one passes at
    /// its own time.
    /// </summary>
    [Scenario]
    internal static void LeaseTimerOfTwoTenancies(Interleaving run)
    {
        var stage = new Stage(run);
        TimeoutLease lease = default;
        bool hasRung = false, isNext = false;
        run.Run(
            "tenants",
            prepare: () =>
            {
                stage.Rent(1).Dispose();
                lease = stage.Rent(3);
            },
            body: () =>
            {
                run.WaitUntil(() => hasRung, "first ring");
                lease.Dispose();
                lease = stage.Rent(10);
                isNext = true;
            });
        run.Run("driver", () =>
        {
            stage.Pass(2);
            hasRung = true;
            run.WaitUntil(() => isNext, "next tenancy");
            stage.Pass(3);
            Require(!lease.Token.IsCancellationRequested, "A timeout of 100 ms has passed after 30 ms.");
        });
        run.Check(() =>
        {
            stage.Pass(10);
            Require(lease.HasTimedOut, "A timeout of 100 ms has not passed after 130 ms.");
            stage.Service.Dispose();
        });
    }

    /// <summary>
    /// A timeout passes from tenant to tenant on two threads, and its timer rings on a third. Each of these threads
    /// knows the timeout from an earlier tenancy. Their actions affect the present one only, which times out.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void LeaseOfOtherThreadsTimesOut(Interleaving run) => PassOn(run, timesOut: true);

    /// <summary>The same, and the last tenancy is cancelled by its caller's token.</summary>
    [Scenario]
    internal static void LeaseOfOtherThreadsIsCancelled(Interleaving run) => PassOn(run, timesOut: false);

    private static void PassOn(Interleaving run, bool timesOut)
    {
        var stage = new Stage(run);
        var caller = new CancellationTokenSource();
        TimeoutLease second = default, third = default;
        var step = 0;
        run.Run("one", () =>
        {
            stage.Rent(1).Dispose();
            Done(1);
            Await(3);
            second.Dispose();
            Done(4);
            Await(5);
            if (!timesOut)
            {
                Cancel(caller);
                Require(
                    third.Token.IsCancellationRequested, "The caller's token is cancelled, and the lease's is not.");
            }
        });
        run.Run("other", () =>
        {
            Await(2);
            second = stage.Rent(2);
            Done(3);
            Await(4);
            third = stage.Rent(4, caller.Token);
            Done(5);
            run.WaitUntil(() => third.Token.IsCancellationRequested, "end of the third tenancy");
            Require(third.HasTimedOut == timesOut, $"It is {third.HasTimedOut} that the lease has timed out.");
        });
        run.Run("driver", () =>
        {
            Await(1);

            // The first tenant left the timer set.
            stage.Pass(2);
            Done(2);
            if (timesOut)
            {
                Await(5);
                stage.Pass(6);
            }
        });
        run.Check(() =>
        {
            Require(
                !second.Token.IsCancellationRequested || second.Token == third.Token,
                "A timeout has passed after it was returned.");
            stage.Service.Dispose();
        });

        void Done(int number) => step = number;

        void Await(int number) => run.WaitUntil(() => step == number, $"step {number}");
    }

    private static TimeoutLease Rent(this Stage stage, int ticks, CancellationToken token = default) =>
        stage.Service.RentTimeout(Ticks(ticks), token);
}
