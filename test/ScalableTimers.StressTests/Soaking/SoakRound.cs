using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>A few seconds of random use of everything, then a wait until everything has ended.</summary>
internal sealed class SoakRound(SoakSubject[] subjects, OperationStatistics statistics, int number)
{
    private const int OperationsPerSecond = 100_000;

    private readonly long _endsAt = StressTime.In(SoakLength.Round);

    internal SoakSubject[] Subjects => subjects;

    internal OperationStatistics Statistics => statistics;

    internal Ledger Ledger { get; } = new($"soak, round {number}");

    internal Shelf<TrackedTimer> Timers { get; } = new(1024);

    internal Shelf<TrackedToken> Tokens { get; } = new(256);

    internal Shelf<CancelSource> Sources { get; } = new(64);

    internal bool IsOver => StressTime.IsOver(_endsAt);

    /// <summary>How many services were created, used, stopped and disposed beside the others.</summary>
    internal int ShortLivedServices { get; private set; }

    /// <summary>How many durations were added to the statistics.</summary>
    internal long Durations { get; private set; }

    internal async Task RunAsync(SoakTally tally)
    {
        var soakers = new Soaker[2 * Environment.ProcessorCount];
        for (var i = 0; i < soakers.Length; i++)
        {
            var random = Stress.NewRandom((number * soakers.Length) + i);
            soakers[i] = new Soaker(this, random, OperationsPerSecond / soakers.Length);
        }

        var running = Task.WhenAll(
            [UseShortLivedServicesAsync(), .. soakers.Select(static soaker => Task.Run(soaker.RunAsync))]);
        await Stress.WaitFor("soak", running, "those who use everything wait for a timer that does not come.");
        Timers.TakeAll(static timer => timer.Cancel());
        Tokens.TakeAll(static token => token.End());
        Sources.TakeAll(static source => source.Cancel());
        var periodic = soakers.SelectMany(static soaker => soaker.Periodic).ToList();
        var giveUpAt = StressTime.In(Stress.Guard);
        while (Ledger.Ended < Ledger.Count && !StressTime.IsOver(giveUpAt))
        {
            await Task.Delay(20);
        }

        await Task.WhenAll(periodic.Select(static timer => timer.DisposeAsync()));

        // Let the witness note the pauses around the last timers.
        await Task.Delay(100);
        foreach (var tracked in Ledger.All)
        {
            tally.Add(tracked);
        }

        periodic.ForEach(tally.Add);
        Durations = soakers.Sum(static soaker => soaker.Durations);
    }

    private async Task UseShortLivedServicesAsync()
    {
        for (; !IsOver; ShortLivedServices++)
        {
            await new ServiceRound(ShortLivedServices).RunAsync();
            await Task.Delay(200);
        }
    }
}
