using TransactionsDemo.Bank;
using TransactionsDemo.Load;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Experiment;

/// <summary>
/// Starts the same few delays with each kind of timers, in rising order and from one thread, while nothing else runs.
/// Orleans keeps its own timers of one thread in one list. When the first timer fires, those behind it fire with it.
/// </summary>
internal static class DelayExperiment
{
    private static readonly TimeSpan[] s_asked =
        [TimeSpan.FromMilliseconds(200), TimeSpan.FromMilliseconds(1500), TimeSpan.FromMilliseconds(3000)];

    /// <summary>
    /// Orleans' own timers belong to the process, not to a silo: those of the last transactions stay in the lists after
    /// their silos have ended, until they are due, and would disturb the measured ones.
    /// </summary>
    private static readonly TimeSpan s_leftoversEndWithin = TimeSpan.FromSeconds(2.5);

    /// <summary>
    /// All at the same time but scalable timers, which come last: they take over Orleans' own timers for the whole
    /// process.
    /// </summary>
    public static async Task<DelayMeasurement[]> RunAsync(IReadOnlyCollection<LoadCase> cases)
    {
        if (cases.Any(static each => each.Timers == TimerKind.Stock))
        {
            await Task.Delay(s_leftoversEndWithin);
        }

        var others = await Task.WhenAll(
            cases.Where(static each => each.Timers != TimerKind.Scalable).Select(MeasureAsync).ToArray());
        var scalable = await Task.WhenAll(
            cases.Where(static each => each.Timers == TimerKind.Scalable).Select(MeasureAsync).ToArray());
        var all = others.Concat(scalable).ToDictionary(static each => each.Case);
        return [.. cases.Select(each => all[each])];
    }

    private static async Task<DelayMeasurement> MeasureAsync(LoadCase loadCase)
    {
        // The bank has no accounts, because their transactions would start their own timers.
        var quiet = loadCase with
        {
            Bank = loadCase.Bank with { Accounts = 0, Tellers = 0, Silos = 1, Storage = StorageKind.Memory },
        };
        await using var bank = await quiet.OpenAsync();
        return new DelayMeasurement(loadCase, s_asked, await bank.MeasureDelaysAsync(s_asked));
    }
}
