using TransactionsDemo.Load;

namespace TransactionsDemo.Rounds;

/// <summary>The figures of a round. Process figures include both silos and the load.</summary>
internal sealed record RoundResult
{
    public required double TransfersPerSecond { get; init; }

    public required double ProcessorMicrosecondsPerTransfer { get; init; }

    public required double AllocatedKilobytesPerTransfer { get; init; }

    /// <summary>In milliseconds: the maximum of the fastest 1 % of transfers, of the fastest 2 %, and so on.</summary>
    public required IReadOnlyList<double> LatencyPercentiles { get; init; }

    public required long Failed { get; init; }

    public required long InDoubt { get; init; }

    public required IReadOnlyList<Wait> Waits { get; init; }

    /// <summary>At the end of the load.</summary>
    public required double WorkingSetMegabytes { get; init; }

    /// <summary>After a garbage collection, when the load has ended.</summary>
    public required double LiveMegabytes { get; init; }

    /// <summary>How long both silos took to stop.</summary>
    public double StopSeconds { get; init; }

    /// <summary>One sentence for each error.</summary>
    public required IReadOnlyList<string> Errors { get; init; }

    public IEnumerable<double> LatenessOf(WaitKind kind) =>
        Waits.Where(wait => wait.Kind == kind).Select(static wait => wait.LatenessMilliseconds);

    /// <summary>The lateness that a share of the response timeouts did not exceed.</summary>
    public double TimeoutLateness(double share)
    {
        double[] sorted = [.. LatenessOf(WaitKind.ResponseTimeout).Order()];
        return sorted.Length == 0 ? double.NaN : sorted[(int)((sorted.Length - 1) * share)];
    }
}
