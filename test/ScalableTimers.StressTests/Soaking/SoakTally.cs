using System.Collections.Concurrent;
using System.Globalization;
using HdrHistogram;
using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>How many timers of each kind there were and how they ended. Used by one thread.</summary>
internal sealed class SoakTally(PauseWitness pauses)
{
    private const int Shown = 8;

    /// <summary>
    /// How late a timer may be on a machine without pauses: a few resolutions of 10 ms, a bucket of 50 ms, and the
    /// callbacks of this run, several of which may block for 10 ms at once. Among other tests, on any machine, only a
    /// timer that hangs counts as late.
    /// </summary>
    private static readonly long s_late = StressTime.Units(TimeSpan.FromSeconds(SoakLength.IsAskedFor ? 0.37 : 10));

    private readonly SortedDictionary<string, Row> _rows = [];
    private readonly ConcurrentQueue<string> _faults = new();

    internal long Started => _rows.Values.Sum(static row => row.Started);

    internal bool HasFaults => !_faults.IsEmpty;

    /// <summary>Reports a fault, if there is one. Any thread may call it.</summary>
    internal void Report(string? fault)
    {
        if (fault is not null)
        {
            _faults.Enqueue(fault);
        }
    }

    /// <summary>Counts a timer that is no longer used.</summary>
    internal void Add(Tracked tracked)
    {
        var row = RowOf(tracked.Kind);
        row.Started++;
        row.Fired += tracked.HasFired ? 1 : 0;
        row.Cancelled += tracked.IsCancelled ? 1 : 0;
        row.Never += tracked.IsOpen ? 1 : 0;
        row.Twice += tracked.Ends > 1 ? 1 : 0;
        var fault = tracked.Fault(mayBeOpen: false);
        if (tracked.HasFired)
        {
            row.Early += tracked.Lateness < 0 ? 1 : 0;
            row.Lateness.RecordValue(Math.Max(0, tracked.Lateness));
            if (IsTooLate(tracked))
            {
                row.Late++;
                fault ??= $"fired {StressTime.ToMilliseconds(tracked.Lateness):F1} ms late, which no pause explains";
            }
        }

        Report(fault is null ? null : $"{tracked.Kind}: {fault}");
    }

    /// <summary>Counts a timer that has fired many times, or never.</summary>
    internal void Add(TrackedITimer timer)
    {
        var row = RowOf("periodic timer");
        row.Started++;
        row.Fired += timer.Firings;
        row.Never += timer.Firings == 0 ? 1 : 0;
        Report(timer.Firings == 0 ? "a periodic timer has never fired" : timer.Fault());
    }

    internal string Describe() =>
        $"{_faults.Count:N0} faults"
        + string.Concat(_faults.Take(Shown).Select(static fault => $"{Environment.NewLine}  {fault}"));

    internal IEnumerable<string> Lines() =>
    [
        "| | timers | fired | cancelled | early | late | twice | never | late p50 | p99 | max |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        .. _rows.Select(static pair => string.Create(
            CultureInfo.InvariantCulture,
            $"| {pair.Key} | {pair.Value.Started:N0} | {pair.Value.Fired:N0} | {pair.Value.Cancelled:N0} | "
            + $"{pair.Value.Early:N0} | {pair.Value.Late:N0} | {pair.Value.Twice:N0} | {pair.Value.Never:N0} | "
            + $"{Cells(pair.Value.Lateness)} |")),
        $"| pauses of the machine | | | | | | | | {Cells(pauses.Machine)} |",
        $"| waits for the pool | | | | | | | | {Cells(pauses.Pool)} |",
    ];

    private bool IsTooLate(Tracked tracked) =>
        tracked.Lateness > s_late
        && tracked.Lateness > s_late + pauses.Explain(tracked.NotBefore, tracked.NotBefore + tracked.Lateness);

    private Row RowOf(string kind) => _rows.TryGetValue(kind, out var row) ? row : _rows[kind] = new Row();

    private static string Cells(LongHistogram lateness) => lateness.TotalCount == 0 ? " | |" : string.Create(
        CultureInfo.InvariantCulture,
        $"{Milliseconds(lateness, 50):F1} | {Milliseconds(lateness, 99):F1} | {Milliseconds(lateness, 100):F1}");

    private static double Milliseconds(LongHistogram lateness, double percentile) =>
        StressTime.ToMilliseconds(lateness.GetValueAtPercentile(percentile));

    private sealed class Row
    {
        internal long Started;
        internal long Fired;
        internal long Cancelled;
        internal long Early;
        internal long Late;
        internal long Twice;
        internal long Never;

        internal LongHistogram Lateness { get; } = PauseWitness.NewHistogram();
    }
}
