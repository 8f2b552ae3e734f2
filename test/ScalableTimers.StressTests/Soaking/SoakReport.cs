using System.Diagnostics;
using System.Globalization;
using System.Runtime;
using System.Runtime.InteropServices;
using System.Text;
using ScalableTimers.StressTests.Soaking.Recording;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>The table at the end of the soak.</summary>
internal sealed class SoakReport(SoakRun run, MemorySamples memory)
{
    private readonly long _startedAt = Stopwatch.GetTimestamp();
    private readonly TimeSpan _pausedBefore = GC.GetTotalPauseDuration();
    private readonly int[] _collectionsBefore = Collections();

    /// <summary>More lines, each with a fact about the run.</summary>
    internal List<string> Facts { get; } = [];

    /// <summary>
    /// Writes to the test's output, or for <c>test.sh --soak</c> to a file that the script shows at the end.
    /// </summary>
    internal void Write()
    {
        if (SoakLength.ReportFile is { Length: > 0 } file)
        {
            File.WriteAllText(file, ToString());
        }
        else
        {
            Stress.Log(ToString());
        }
    }

    public override string ToString()
    {
        var text = new StringBuilder();
        text.AppendLine("| | timers | fired | cancelled | dropped | late p50 | p99 | max |");
        text.AppendLine("|---|---:|---:|---:|---:|---:|---:|---:|");
        foreach (var kind in Enum.GetValues<SoakKind>())
        {
            var tally = run.Tally[kind];
            text.AppendLine(
                CultureInfo.InvariantCulture,
                $"| {kind} | {tally.Started:N0} | {tally.Fired:N0} | {tally.Cancelled:N0} | {tally.Dropped:N0} | "
                + $"{Distribution(tally.Lateness)} |");
        }

        text.AppendLine(
            CultureInfo.InvariantCulture,
            $"| pauses of the machine | | | | | {Distribution(run.Witness.Machine.Lengths)} |");
        text.AppendLine(
            CultureInfo.InvariantCulture, $"| waits for the pool | | | | | {Distribution(run.Witness.Pool.Lengths)} |");
        text.AppendLine();
        foreach (var fact in Lines())
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"- {fact}");
        }

        return text.ToString();
    }

    private IEnumerable<string> Lines()
    {
        var counts = Enum.GetValues<SoakFault>().Select(fault => $"{run.Tally.Count(fault):N0} {fault}");
        var collections = Collections().Zip(_collectionsBefore, static (after, before) => after - before);
        var (started, seconds) = (run.Tally.Started, Stopwatch.GetElapsedTime(_startedAt).TotalSeconds);
        yield return $"{started:N0} timers in {seconds:F0} s, {started / seconds:N0} a second, "
            + $"{Environment.CpuUsage.TotalTime.TotalSeconds:F0} s of processor time; seed {Stress.Seed}";
        yield return $"faults: {string.Join(", ", counts)}; {run.LateOnes.Explained:N0} more than 250 ms late, "
            + "explained by pauses";
        yield return memory.IsEnough
            ? $"memory after full collections: {memory.First / 1e6:F1} MB in the first third, "
                + $"{memory.Last / 1e6:F1} MB in the last, {memory.BytesPerTimer:F3} bytes a timer"
            : "memory: too few samples to judge it";
        yield return $"collections of generation 0, 1 and 2: {string.Join(", ", collections)}; "
            + $"{(GC.GetTotalPauseDuration() - _pausedBefore).TotalSeconds:F1} s paused by them"
            + $" ({(GCSettings.IsServerGC ? "server" : "workstation")}, {GCSettings.LatencyMode})";
        foreach (var fact in Facts)
        {
            yield return fact;
        }

        yield return $"{Environment.ProcessorCount} processors, {RuntimeInformation.OSDescription}, "
            + $"{RuntimeInformation.FrameworkDescription}, commit {Commit()}";
    }

    private static string Distribution(LatenessHistogram lateness) =>
        lateness.Count == 0
            ? "| |"
            : $"{lateness.Milliseconds(0.5):F1} | {lateness.Milliseconds(0.99):F1} | {lateness.MaxMilliseconds:F1}";

    private static int[] Collections() => [GC.CollectionCount(0), GC.CollectionCount(1), GC.CollectionCount(2)];

    private static string Commit()
    {
        try
        {
            var start = new ProcessStartInfo("git", ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"])
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                WorkingDirectory = AppContext.BaseDirectory,
            };
            using var git = Process.Start(start)!;
            var commit = git.StandardOutput.ReadToEnd().Trim();
            return commit.Length > 0 ? commit : "unknown";
        }
        catch (Exception)
        {
            return "unknown";
        }
    }
}
