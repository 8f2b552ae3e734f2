using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>
/// Timers that are objects: periodic timers of the service, and those that .NET's types create with the time provider.
/// </summary>
internal sealed class SoakTimers(SoakRun run, Random random)
{
    private readonly Held?[] _timers = new Held?[30];

    /// <summary>Ends a timer of the service and creates another in its place.</summary>
    internal void Renew(SoakSubject subject)
    {
        var place = random.Next(_timers.Length);
        End(_timers[place]);
        var options = new PeriodicTimerOptions
        {
            Tolerance = random.Next(3) == 0 ? StressTime.UpTo(20, random) : TimeSpan.Zero,
            Overlap = random.Next(3) == 0 ? TimerOverlap.Allow : TimerOverlap.Skip,
        };
        TimeSpan? period = random.Next(4) == 0 ? null : TimeSpan.FromMilliseconds(random.Next(1, 40));
        var dueTime = StressTime.UpTo(40, random);
        var slow = random.Next(100) == 0;
        run.Tally[SoakKind.ServiceTimer].CountStarted();
        var timer = new TrackedServiceTimer(
            subject.Service, dueTime, period, options, slow ? static () => Thread.Sleep(2) : null);
        _timers[place] = new Held(timer, StressTime.In(dueTime + options.Tolerance));

        // A timer that fires once may be changed. Its earlier setting is then replaced, or still fires.
        if (period is null && random.Next(2) == 0)
        {
            timer.Change(StressTime.UpTo(20, random));
        }
    }

    /// <summary>Uses the provider with whole milliseconds, because some of .NET's types cut off the fraction.</summary>
    internal void UseProvider(SoakSubject subject)
    {
        run.Tally[SoakKind.ProviderTimer].CountStarted();
        subject.CountProviderUse();
        _ = UseProviderAsync(
            subject, random.Next(6), TimeSpan.FromMilliseconds(random.Next(1, random.Next(2) == 0 ? 30 : 1000)));
    }

    internal void EndAll()
    {
        Array.ForEach(_timers, End);
    }

    internal void ReportLost()
    {
        foreach (var held in _timers)
        {
            if (held is { Timer.Starts: 0 } && run.LateOnes.IsLost(held.DueAt))
            {
                run.Tally.Report(SoakFault.Lost, "a timer of the service has never fired");
            }
        }
    }

    private void End(Held? held)
    {
        if (held is not null)
        {
            _ = EndAsync(held.Timer);
        }
    }

    private async Task EndAsync(TrackedServiceTimer timer)
    {
        await timer.DisposeAsync().ConfigureAwait(false);
        var tally = run.Tally[SoakKind.ServiceTimer];
        if (timer.Starts > 0)
        {
            tally.CountFired();
        }
        else
        {
            tally.CountCancelled();
        }

        if (timer.Fault() is { } fault)
        {
            run.Tally.Report(SoakFault.Other, $"a timer of the service: {fault}");
        }
    }

    private async Task UseProviderAsync(SoakSubject subject, int use, TimeSpan dueTime)
    {
        var dueAt = StressTime.In(dueTime);
        var hasFired = true;
        try
        {
            hasFired = await ProviderUses.RunAsync(subject.Service.TimeProvider, use, dueTime).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            run.Tally.Report(SoakFault.Other, $"use {use} of the time provider threw {exception}");
        }

        if (hasFired && !StressTime.IsOver(dueAt))
        {
            run.Tally.Report(SoakFault.Early, $"use {use} of the time provider");
        }

        var tally = run.Tally[SoakKind.ProviderTimer];
        if (hasFired)
        {
            tally.CountFired();
        }
        else
        {
            tally.CountCancelled();
        }
    }

    private sealed record Held(TrackedServiceTimer Timer, long DueAt);
}
