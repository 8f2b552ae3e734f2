using Microsoft.Extensions.Logging.Abstractions;

namespace ScalableTimers.Exploration.Scenarios.Timeouts;

/// <summary>Timeout tokens are requested while they end.</summary>
internal static class Tokens
{
    /// <summary>
    /// Two threads request a token while its bucket ends. Neither gets one that ends early, late or never, and no
    /// source is left behind.
    /// </summary>
    [Scenario]
    internal static void TokenAskedForBesideItsBucketsEnd(Interleaving run)
    {
        var stage = new Stage(run, bucket: 10);
        var tokens = new List<CancellationToken>();
        foreach (var name in new[] { "asks", "asks too" })
        {
            run.Run(name, () =>
            {
                var endsAt = stage.Clock.Elapsed + Ticks(5);
                var token = stage.Service.GetTimeoutToken(Ticks(5));
                Require(
                    !token.IsCancellationRequested || stage.Clock.Elapsed >= endsAt, "A token has ended early.");
                tokens.Add(token);

                // A thread's stores are visible by its end. Until then its source may be in its store buffer.
                Point("has its token");
            }, kind: "asks");
        }

        run.Run("driver", () => stage.Pass(10));
        run.Check(() =>
        {
            stage.Pass(16);
            Require(tokens.TrueForAll(static token => token.IsCancellationRequested), "A token has not ended.");
            Require(stage.Figures is { TimeoutTokens: 0, Pending: 0 }, $"Sources are left: {stage.Figures}.");
            stage.Service.Dispose();
        });
    }
}
