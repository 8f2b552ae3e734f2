using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>Everything at once, at random, for the requested time: <c>./test.sh --soak 10m</c>.</summary>
public class SoakTests
{
    [Fact]
    public async Task Everything_UsedAtRandomFromEverywhere_NothingIsEarlyLostDoubledOrLate()
    {
        var subjects = (
            from resolution in new[] { 1.0, 10.0 }
            from driver in Enum.GetValues<TimerServiceDriver>()
            select new SoakSubject(driver, resolution)).ToArray();
        using var statistics = new OperationStatistics("soak");
        using var pauses = new PauseWitness();
        var tally = new SoakTally(pauses);
        var memory = new MemorySamples();
        var start = Stopwatch.GetTimestamp();
        var (rounds, services, durations) = (0, 0L, 0L);
        try
        {
            for (; rounds == 0 || Stopwatch.GetElapsedTime(start) < SoakLength.Duration; rounds++)
            {
                var round = new SoakRound(subjects, statistics, rounds);
                await round.RunAsync(tally);
                services += round.ShortLivedServices;
                durations += round.Durations;
                pauses.Forget();
                if (tally.HasFaults)
                {
                    break;
                }

                memory.Take();
                Stress.Log($"{Stopwatch.GetElapsedTime(start):hh\\:mm\\:ss} {tally.Started:N0} timers");
            }

            foreach (var subject in subjects)
            {
                await Stress.WaitFor("soak", subject.Service.DisposeAsync().AsTask(), "DisposeAsync.");
                tally.Report(tally.HasFaults ? null : subject.Fault());
            }

            var counted = statistics.GetSnapshot().Sum(static row => row.Count);
            tally.Report(counted == durations ? null : $"{durations} durations were added, and {counted} counted");
            tally.Report(memory.Fault());
        }
        finally
        {
            var elapsed = Stopwatch.GetElapsedTime(start).TotalSeconds;
            string[] lines =
            [
                .. tally.Lines(),
                "",
                Text($"- {tally.Started:N0} timers in {elapsed:F0} s, {rounds} rounds, and {services:N0} short-lived ")
                    + $"services; seed {Stress.Seed}",
                Text($"- {memory}"),
                Text($"- {Environment.CpuUsage.TotalTime.TotalSeconds:F0} s of processor time on ")
                    + $"{Environment.ProcessorCount} processors, {RuntimeInformation.OSDescription}, "
                    + RuntimeInformation.FrameworkDescription,
            ];
            if (SoakLength.ReportFile is { Length: > 0 } file)
            {
                await File.WriteAllLinesAsync(file, lines);
            }
            else
            {
                Stress.Log(string.Join(Environment.NewLine, lines));
            }

        }

        if (tally.HasFaults)
        {
            Stress.Fail("soak", tally.Describe());
        }
    }

    private static string Text(FormattableString line) => line.ToString(CultureInfo.InvariantCulture);
}
