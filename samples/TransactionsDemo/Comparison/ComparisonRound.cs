using System.Text.Json;

namespace TransactionsDemo.Comparison;

/// <summary>The result of one variant in one round.</summary>
internal sealed record ComparisonRound
{
    public required ComparisonPlace Place { get; init; }

    public required int Round { get; init; }

    /// <summary>Whether Orleans' own timers were served by those of this project, or by Orleans.</summary>
    public required bool IsServed { get; init; }

    public required double TransfersPerSecond { get; init; }

    public required double CpuMicrosecondsPerTransfer { get; init; }

    public required double P50 { get; init; }

    public required double P99 { get; init; }

    /// <summary>The longest transfer, in milliseconds as all latencies.</summary>
    public required double Max { get; init; }

    public required double Stalls { get; init; }

    public required double LongestPause { get; init; }

    /// <summary>NaN if it is unknown.</summary>
    public required double Pending { get; init; }

    public required double Probes { get; init; }

    public required double EarlyProbes { get; init; }

    public required double NotCommitted { get; init; }

    public static ComparisonRound Read(JsonElement run, ComparisonPlace place, int round, bool isServed)
    {
        var latency = run.GetProperty("latencyMilliseconds");
        return new ComparisonRound
        {
            Place = place,
            Round = round,
            IsServed = isServed,
            TransfersPerSecond = Number(run, "transfersPerSecond"),
            CpuMicrosecondsPerTransfer = Number(run, "cpuMicrosecondsPerTransfer"),
            P50 = Number(latency, "p50"),
            P99 = Number(latency, "p99"),
            Max = Number(latency, "max"),
            Stalls = Number(run, "stalls"),
            LongestPause = Number(run, "longestPauseMilliseconds"),
            Pending = Number(run, "engineTimersPending"),
            Probes = Number(run, "engineTimerProbes"),
            EarlyProbes = Number(run, "engineTimerProbesEarly"),
            NotCommitted = Number(run, "finished") - Number(run.GetProperty("outcomes"), "committed"),
        };
    }

    private static double Number(JsonElement element, string name) =>
        element.GetProperty(name) is { ValueKind: JsonValueKind.Number } number ? number.GetDouble() : double.NaN;
}
