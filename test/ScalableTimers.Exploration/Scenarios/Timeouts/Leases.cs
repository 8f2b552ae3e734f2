using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Timeouts;

namespace ScalableTimers.Exploration.Scenarios.Timeouts;

/// <summary>Timeouts are rented, returned, cancelled and pass.</summary>
internal static class Leases
{
    /// <summary>
    /// A rented timeout passes, its caller's token is cancelled, and its tenant registers with that and returns it, all
    /// at once. The next tenant's token is not cancelled.
    /// </summary>
    [Scenario]
    internal static void LeaseEndsInThreeWays(Interleaving run)
    {
        var stage = new Stage(run);
        var caller = new CancellationTokenSource();
        TimeoutLease former = default, next = default;
        run.Run(
            "tenants",
            prepare: () => stage.Rent(5).Dispose(),
            body: () =>
            {
                former = stage.Rent(1, caller.Token);
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
    /// A timeout passes while its tenant registers it with the caller's token, or later: nothing stays registered.
    /// </summary>
    [Scenario]
    internal static void LeaseTimesOutBesideItsRegistration(Interleaving run)
    {
        var stage = new Stage(run);
        var caller = new CancellationTokenSource();
        TimeoutLease lease = default;
        var isRented = false;
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
                isRented = true;
                Require(!lease.HasTimedOut || stage.Clock.Elapsed >= Ticks(1), "A lease has timed out early.");
                run.WaitUntil(() => lease.Token.IsCancellationRequested, "timeout");
                Require(lease.HasTimedOut, "A lease that was cancelled has not timed out.");
            });
        run.Run("driver", () =>
        {
            stage.Pass(2);
            run.WaitUntil(() => isRented, "the lease");
            stage.Pass(2);
        });
        run.Check(() =>
        {
            Require(!Registrations.Exist(caller), "A lease that is over is registered with the caller's token.");
            stage.RequireOver(ticks: 1);
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

    /// <summary>
    /// Two threads return the same lease, which times out meanwhile, and each rents another: they do not share a token.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void LeaseReturnedTwice(Interleaving run)
    {
        var stage = new Stage(run);
        TimeoutLease former = default;
        var next = new List<TimeoutLease>();
        run.Run("returns", prepare: () => former = stage.Rent(1), body: ReturnAndRent);
        run.Run("returns too", ReturnAndRent);
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            Require(next[0].Token != next[1].Token, "Two tenants have the same token.");
            stage.Pass(8);
            Require(
                !next.Exists(static lease => lease.Token.IsCancellationRequested),
                "A timeout of 100 ms has passed after 90 ms.");
            stage.Pass(3);
            Require(
                next.TrueForAll(static lease => lease.HasTimedOut), "A timeout of 100 ms has not passed after 120 ms.");
            stage.Service.Dispose();
        });

        void ReturnAndRent()
        {
            former.Dispose();
            next.Add(stage.Rent(10));
        }
    }

    private static TimeoutLease Rent(this Stage stage, int ticks, CancellationToken token = default) =>
        stage.Service.RentTimeout(Ticks(ticks), token);
}
