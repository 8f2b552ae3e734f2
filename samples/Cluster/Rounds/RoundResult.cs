using Cluster.Bank;
using Cluster.Load;

namespace Cluster.Rounds;

/// <summary>What a round has shown. Marks are in seconds, lateness of response timeouts in ms.</summary>
internal sealed record RoundResult(
    string Scenario,
    string Title,
    IReadOnlyList<(double At, string What)> Marks,
    IReadOnlyList<int> CommittedBySecond,
    IReadOnlyCollection<Transfer> Transfers,
    IReadOnlyCollection<double> Lateness,
    WaitFigures Waits,
    IReadOnlyDictionary<string, int> Log,
    double ProcessorSeconds,
    double Megabytes,
    IReadOnlyList<string> Errors)
{
    private const int Span = 3;

    /// <summary>Committed transfers a second before anything was done.</summary>
    public double RateBefore => CommittedBySecond.Take((int)(Marks is [var (at, _), ..] ? at : CommittedBySecond.Count))
        .TakeLast(10).DefaultIfEmpty().Average();

    /// <summary>The longest time without a commit, in whole seconds.</summary>
    public int LongestPause
    {
        get
        {
            var (longest, current) = (0, 0);
            foreach (var committed in CommittedBySecond)
            {
                current = committed == 0 ? current + 1 : 0;
                longest = Math.Max(longest, current);
            }

            return longest;
        }
    }

    /// <summary>
    /// The seconds from a mark until 90 % of the rate before, over three seconds, are reached for the first time after
    /// the rate has fallen below that; zero if it never falls, null if it is not reached.
    /// </summary>
    public double? RecoveryAfter(double mark, double until)
    {
        var wanted = 0.9 * RateBefore;
        var rates = Enumerable.Range((int)mark, Math.Max(0, (int)until - (int)mark - Span))
            .Select(second => (Second: second, Rate: CommittedBySecond.Skip(second).Take(Span).Average()))
            .SkipWhile(each => each.Rate >= wanted)
            .ToList();
        return rates.Count == 0
            ? 0
            : rates.Where(each => each.Rate >= wanted).Select(each => (double?)(each.Second - mark)).FirstOrDefault();
    }
}
