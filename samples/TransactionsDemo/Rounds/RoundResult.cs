using TransactionsDemo.Load;

namespace TransactionsDemo.Rounds;

/// <summary>The figures of a round. Process figures include both silos and the load.</summary>
internal sealed record RoundResult
{
    public required double TransfersPerSecond { get; init; }

    public required double ProcessorMicrosecondsPerTransfer { get; init; }

    public required double AllocatedKilobytesPerTransfer { get; init; }

    /// <summary>In milliseconds.</summary>
    public required double LatencyP50 { get; init; }

    public required double LatencyP99 { get; init; }

    public required long Failed { get; init; }

    public required long InDoubt { get; init; }

    /// <summary>The lateness of waits under load in milliseconds, negative if they ended too early.</summary>
    public required IReadOnlyDictionary<WaitKind, double[]> Lateness { get; init; }

    /// <summary>At the end of the load.</summary>
    public required double WorkingSetMegabytes { get; init; }

    /// <summary>After a garbage collection, when the load has ended.</summary>
    public required double LiveMegabytes { get; init; }

    /// <summary>How long both silos took to stop.</summary>
    public double StopSeconds { get; init; }

    /// <summary>One sentence for each error.</summary>
    public required IReadOnlyList<string> Errors { get; init; }

    /// <summary>The lateness that a share of the response timeouts did not exceed.</summary>
    public double TimeoutLateness(double share)
    {
        double[] sorted = [.. Lateness[WaitKind.ResponseTimeout].Order()];
        return sorted.Length == 0 ? double.NaN : sorted[(int)((sorted.Length - 1) * share)];
    }
}
