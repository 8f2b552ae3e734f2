using System.Diagnostics;

namespace TransactionsDemo.Probes;

/// <summary>Asks for the same times again and again while a bank is loaded, to see when they end.</summary>
/// <param name="Kind">What is asked.</param>
/// <param name="Asked">The times, all asked for at once, in rising order.</param>
/// <param name="Period">How often.</param>
/// <param name="AskAsync">Asks for times; returns how long each has taken.</param>
internal sealed record Probe(
    ProbeKind Kind, TimeSpan[] Asked, TimeSpan Period, Func<TimeSpan[], Task<TimeSpan[]>> AskAsync)
{
    /// <summary>Probes are begun only if they should have ended before the load has, by so much.</summary>
    private static readonly TimeSpan s_margin = TimeSpan.FromMilliseconds(500);

    /// <summary>Probes for as long as a load of the given length has time for it.</summary>
    public async Task<ProbeSample[]> RunAsync(TimeSpan duration)
    {
        var startedAt = Stopwatch.GetTimestamp();
        var rounds = new List<Task<TimeSpan[]>>();
        while (Stopwatch.GetElapsedTime(startedAt) < duration - Asked[^1] - s_margin)
        {
            rounds.Add(AskAsync(Asked));
            await Task.Delay(Period);
        }

        return
        [
            .. from got in await Task.WhenAll(rounds)
               from each in Asked.Zip(got)
               select new ProbeSample(Kind, each.First.TotalMilliseconds, each.Second.TotalMilliseconds),
        ];
    }
}
