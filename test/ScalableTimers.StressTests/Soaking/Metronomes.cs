using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>Periodic timers that last as long as the run. None may stop earlier.</summary>
internal sealed class Metronomes(SoakRun run)
{
    private readonly Metronome[] _all = [..
        from subject in run.Subjects
        from overlap in Enum.GetValues<TimerOverlap>()
        select new Metronome(subject, overlap)];

    internal long Firings => _all.Sum(static one => (long)one.Timer.Starts);

    internal void ReportLost()
    {
        foreach (var one in _all)
        {
            if (one.HasStopped(run))
            {
                run.Tally.Report(SoakFault.Lost, $"a periodic timer stopped after {one.Timer.Starts} firings");
            }
        }
    }

    internal async Task EndAsync()
    {
        foreach (var one in _all)
        {
            await one.Timer.DisposeAsync().ConfigureAwait(false);
            if (one.Timer.Fault() is { } fault)
            {
                run.Tally.Report(SoakFault.Other, $"a periodic timer: {fault}");
            }
        }
    }

    private sealed class Metronome(SoakSubject subject, TimerOverlap overlap)
    {
        private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(5);

        private int _startsSeen;
        private long _seenAt = StressTime.In(TimeSpan.Zero);

        internal TrackedServiceTimer Timer { get; } = new(
            subject.Service, s_period, s_period, new PeriodicTimerOptions { Overlap = overlap });

        internal bool HasStopped(SoakRun run)
        {
            if (Timer.Starts == _startsSeen)
            {
                return run.LateOnes.IsLost(_seenAt);
            }

            (_startsSeen, _seenAt) = (Timer.Starts, StressTime.In(s_period));
            return false;
        }
    }
}
