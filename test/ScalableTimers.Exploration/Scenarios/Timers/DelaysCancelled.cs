using ScalableTimers.Timers;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>Delays are cancelled while they start, expire and are read.</summary>
internal static class DelaysCancelled
{
    /// <summary>
    /// A delay expires while its token is cancelled. In both cases its reader begins the next delay with the same
    /// entry, which the old token must not end.
    /// </summary>
    [Scenario]
    internal static void DelayCancelledBesideExpiry(Interleaving run) => CancelBesideExpiry(run, isOrdered: false);

    /// <summary>The same where timers fire in order, and the thread that cancels begins a delay too.</summary>
    [Scenario(Bound = 1)]
    internal static void SharedDelays(Interleaving run) => CancelBesideExpiry(run, isOrdered: true);

    /// <summary>
    /// Two threads read delays of a third at the same time. All entries are free for other delays afterwards.
    /// </summary>
    [Scenario]
    internal static void DelaysReadByTwoOthers(Interleaving run)
    {
        var stage = new Stage(run);
        var source = new CancellationTokenSource();
        var delays = new ValueTask<bool>[2];
        var isCancelled = false;
        run.Run("owner", () =>
        {
            delays[0] = stage.Delay(20, source.Token);
            delays[1] = stage.Delay(20, source.Token);
            Cancel(source);
            isCancelled = true;
        });
        for (var i = 0; i < delays.Length; i++)
        {
            var number = i;
            run.Run("reads", () =>
            {
                run.WaitUntil(() => isCancelled && delays[number].IsCompleted, "end of the delays");
                Require(OutcomeOf(delays[number]) == false, "A cancelled delay has elapsed.");
            });
        }

        run.PoolThreads(1);
        run.Check(() =>
        {
            Require(stage.FreeDelays == delays.Length, $"{stage.FreeDelays} of two entries can be used again.");
            stage.RequireOver(ticks: 1);
        });
    }

    /// <summary>
    /// Two threads read one delay that has elapsed. One gets the result, and the delay that its thread begins with the
    /// same entry is not harmed by the other.
    /// </summary>
    [Scenario]
    internal static void DelayReadTwice(Interleaving run)
    {
        var stage = new Stage(run);
        ValueTask<bool> delay = default;
        var next = new List<ValueTask<bool>>();
        run.Run(
            "owner",
            prepare: () =>
            {
                delay = stage.Delay(1);
                stage.Pass(1);
            },
            body: Read,
            kind: "reads");
        run.Run("reads", Read, kind: "reads");
        run.Check(() =>
        {
            Require(next.Count == 1, $"{next.Count} threads have read the delay.");
            Require(!next[0].IsCompleted && stage.FreeDelays <= 1, "The entry is in use twice.");
            stage.RequireOver(ticks: 21);
            Require(OutcomeOf(next[0]) == true, "A delay of 20 ticks has not ended after 21.");
        });

        void Read()
        {
            try
            {
                Require(delay.GetAwaiter().GetResult(), "A delay that has elapsed was cancelled.");
                next.Add(stage.Delay(20));
            }
            catch (InvalidOperationException)
            {
            }
        }
    }

    /// <summary>
    /// A token is cancelled while its delay registers, begins and checks the token. The delay ends, whichever of the
    /// two sees the other.
    /// </summary>
    [Scenario]
    internal static void DelayCancelledWhileItStarts(Interleaving run) =>
        CancelWhileItStarts(run, static (stage, token) => stage.Delay(10, token));

    /// <summary>The same with the second token of a delay.</summary>
    [Scenario]
    internal static void DelayWhoseScopeIsCancelledWhileItStarts(Interleaving run) =>
        CancelWhileItStarts(
            run, static (stage, token) => stage.Delay(10, new CountingScope(token), token: CancellationToken.None));

    /// <summary>
    /// Both tokens of a delay are cancelled while it starts: it ends once, its scope is told of one end, and both
    /// registrations are removed.
    /// </summary>
    [Scenario]
    internal static void DelayWithTwoTokensStarts(Interleaving run)
    {
        var stage = new Stage(run);
        var (token, scope) = (new CancellationTokenSource(), new CancellationTokenSource());
        var counted = new CountingScope(scope.Token);
        ValueTask<bool> delay = default;
        run.Run("owner", () =>
        {
            delay = stage.Delay(10, counted, token: token.Token);
            run.WaitUntil(() => delay.IsCompleted, "end of the delay");
            Require(OutcomeOf(delay) == false, "A delay whose tokens were cancelled has elapsed.");
            delay = stage.Delay(20);
        });
        run.Run("cancels the token", () => Cancel(token));
        run.Run("cancels the scope", () => Cancel(scope));
        run.PoolThreads(1);
        run.Check(() =>
        {
            Require(
                counted is { Begun: 1, Ended: 1 },
                $"The scope has heard of {counted.Begun} beginnings and {counted.Ended} ends.");
            Require(!delay.IsCompleted, "A delay without a token has ended at once.");
            stage.RequireOver(ticks: 30);
            Require(OutcomeOf(delay) == true, "A delay of 20 ticks has not ended after 30.");
        });
    }

    private static void CancelWhileItStarts(Interleaving run, Func<Stage, CancellationToken, ValueTask<bool>> start)
    {
        var stage = new Stage(run);
        var source = new CancellationTokenSource();
        ValueTask<bool> delay = default;
        run.Run(
            "owner",
            prepare: () => stage.Schedule(1),
            body: () =>
            {
                // The delay neither has the nearest deadline, because publishing that would be a fence, nor ends at
                // once, which would be a fence too.
                delay = start(stage, source.Token);
                Point("has begun");
            });
        run.Run("cancels", () => Cancel(source));
        run.Check(() =>
        {
            run.Pool.Drain();
            Require(OutcomeOf(delay) == false, "A delay whose token was cancelled is pending.");
            stage.RequireOver(ticks: 20);
        });
    }

    private static void CancelBesideExpiry(Interleaving run, bool isOrdered)
    {
        var stage = new Stage(run, isOrdered);
        var source = new CancellationTokenSource();
        ValueTask<bool> delay = default, other = new(true);
        run.Run(
            "owner",
            prepare: () => delay = stage.Delay(1, source.Token),
            body: () =>
            {
                run.WaitUntil(() => delay.IsCompleted, "end of the delay");
                _ = OutcomeOf(delay);
                delay = stage.Delay(20);
            });
        run.Run("cancels", () =>
        {
            Cancel(source);
            run.Pool.Drain();
            if (isOrdered)
            {
                other = stage.Delay(20);
            }
        });
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            Require(
                !delay.IsCompleted && other.IsCompleted != isOrdered, "A delay of 20 ticks has ended after 1.");
            stage.RequireOver(ticks: 21);
            Require(
                OutcomeOf(delay) == true && OutcomeOf(other) == true, "A delay of 20 ticks has not ended after 22.");
        });
    }

    /// <summary>Counts the calls that it gets.</summary>
    private sealed class CountingScope(CancellationToken token) : DelayScope
    {
        internal override CancellationToken Token => token;

        internal int Begun { get; private set; }

        internal int Ended { get; private set; }

        internal override void OnBegun() => Begun++;

        internal override void OnEnded() => Ended++;

        internal override string? Reason() => null;
    }
}
