using Cluster.Load;
using Cluster.Silos;

namespace Cluster.Rounds;

/// <summary>The results of a round. Marks and faults are in seconds, the lateness of response timeouts in ms.</summary>
internal sealed record RoundResult(
    string Scenario,
    string Preset,
    string Variant,
    IReadOnlyCollection<(double At, string What)> Marks,
    IReadOnlyList<double> FaultsAt,
    IReadOnlyList<int> CommittedBySecond,
    IReadOnlyDictionary<Fate, int> Fates,
    double LongestPauseOfAccount,
    IReadOnlyCollection<double> Lateness,
    IReadOnlyList<(bool HasPlugin, SiloFigures Figures)> Silos,
    double Megabytes,
    IReadOnlyList<string> Errors)
{
    private const int Span = 3;

    public string Title => $"{Scenario}, {Preset}, {Variant}";

    public double RateAtFirst => RateBefore(FaultsAt[0]);

    /// <summary>The longest time without a commit since the first fault, in whole seconds.</summary>
    public int LongestPause => CommittedBySecond.Skip((int)FaultsAt[0]).Aggregate(
        (Longest: 0, Current: 0),
        static (pause, committed) => committed != 0
            ? (pause.Longest, 0)
            : (Math.Max(pause.Longest, pause.Current + 1), pause.Current + 1)).Longest;

    /// <summary>The recovery from each fault, measured until the next one.</summary>
    public IEnumerable<double?> Recoveries =>
        FaultsAt.Zip(Ends, RecoveryAfter);

    public string RecoveryText =>
        string.Join(", ", Recoveries.Select(static after => after is null ? "not" : $"{after:N0}"));

    /// <summary>The rate at the end of each recovery, as a part of the rate before the first fault.</summary>
    public IEnumerable<double> SettledAt => Ends.Select(end => RateBefore(end) / RateAtFirst);

    private IEnumerable<double> Ends => FaultsAt.Skip(1).Append(CommittedBySecond.Count);

    /// <summary>Committed transfers a second before a moment: the median of ten seconds.</summary>
    private double RateBefore(double moment) =>
        CommittedBySecond.Take((int)moment).TakeLast(10).Order().ElementAtOrDefault(5);

    /// <summary>
    /// The seconds from a fault until the rate over three seconds, after falling below 90 % of what it should be, first
    /// reaches that again; zero if it never falls below, null if it does not reach it, or was zero before.
    /// </summary>
    /// <remarks>
    /// It should be what it was before the fault, or what it settles at, if that is between half and all of it: fewer
    /// calls stay within a silo when its grains are spread over the others.
    /// </remarks>
    private double? RecoveryAfter(double fault, double until)
    {
        var before = RateBefore(fault);
        if (before == 0)
        {
            return null;
        }

        var wanted = 0.9 * Math.Clamp(RateBefore(until), before / 2, before);
        var rates = Enumerable.Range((int)fault, Math.Max(0, (int)until - (int)fault - Span))
            .Select(second => (Second: second, Rate: CommittedBySecond.Skip(second).Take(Span).Average()))
            .SkipWhile(each => each.Rate >= wanted)
            .ToList();
        return rates.Count == 0
            ? 0
            : rates.Where(each => each.Rate >= wanted).Select(each => (double?)(each.Second - fault)).FirstOrDefault();
    }
}
