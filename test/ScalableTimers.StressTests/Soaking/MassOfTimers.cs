using System.Diagnostics;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>
/// Millions of timers that are all pending at once, half of which are then cancelled while the other half fires.
/// </summary>
internal sealed class MassOfTimers(SoakRun run, int count, TimeSpan firing)
{
    private const int Threads = 2;
    private static readonly TimerCallback s_fire = static timer => ((MassTimer)timer!).Fire();

    private readonly SoakSubject _subject = new(DriverChoice.Thread, 10);

    /// <summary>The service's number of pending timers when all had been scheduled.</summary>
    internal long Pending { get; private set; }

    internal void Run()
    {
        var timers = new MassTimer[count];
        StressThreads.Run("mass", Threads, thread =>
        {
            for (var i = thread; i < count; i += Threads)
            {
                timers[i] = new MassTimer(run, _subject);
                timers[i].Handle = _subject.Service.Schedule(s_fire, timers[i], TimeSpan.FromHours(1));
                run.Tally[SoakKind.Mass].CountStarted();
            }
        });
        Pending = _subject.Service.GetSnapshot().Pending;
        if (Pending < count)
        {
            run.Tally.Report(SoakFault.Lost, $"{Pending:N0} of a mass of {count:N0} are pending");
        }

        // Each thread takes the timers that the other has scheduled, and cancels every second one.
        StressThreads.Run("mass", Threads, thread =>
        {
            var random = Stress.NewRandom(thread);
            for (var i = Threads - 1 - thread; i < count && !run.IsOver; i += Threads)
            {
                if (i / Threads % 2 == 0)
                {
                    timers[i].Cancel();
                }
                else
                {
                    timers[i].DueIn(firing * random.NextDouble());
                }
            }
        });
        while (run.Tally[SoakKind.Mass].Open > 0 && !run.IsOver)
        {
            Thread.Sleep(100);
            if (Array.Find(timers, timer => timer.IsLost) is { } lost)
            {
                run.Tally.Report(
                    SoakFault.Lost,
                    $"one of a mass, due {StressTime.ToMilliseconds(Stopwatch.GetTimestamp() - lost.DueAt):F0} ms ago");
            }
        }

        _subject.Service.Dispose();
        if (!run.IsOver && _subject.Fault() is { } fault)
        {
            run.Tally.Report(SoakFault.Other, fault);
        }
    }

    private sealed class MassTimer(SoakRun run, SoakSubject subject)
    {
        private long _dueAt = long.MaxValue;
        private int _ends;

        internal ScheduledTimer Handle { get; set; }

        internal long DueAt => Volatile.Read(ref _dueAt);

        internal bool IsLost => DueAt != long.MaxValue && Volatile.Read(ref _ends) == 0 && run.LateOnes.IsLost(DueAt);

        internal void Cancel()
        {
            if (!Handle.Cancel())
            {
                run.Tally.Report(SoakFault.Other, "one of a mass, due in an hour, could not be cancelled");
            }

            CountEnd(SoakFault.CancelledYetFired);
            run.Tally[SoakKind.Mass].CountCancelled();
        }

        internal void DueIn(TimeSpan dueTime)
        {
            Volatile.Write(ref _dueAt, StressTime.In(dueTime));
            if (!Handle.Reschedule(dueTime))
            {
                run.Tally.Report(SoakFault.Other, "one of a mass, due in an hour, could not be rescheduled");
            }
        }

        internal void Fire()
        {
            var now = Stopwatch.GetTimestamp();
            CountEnd(SoakFault.Doubled);
            var dueAt = DueAt;
            if (now < dueAt)
            {
                run.Tally.Report(SoakFault.Early, "one of a mass");
            }

            run.Tally[SoakKind.Mass].CountFired();
            run.Tally[SoakKind.Mass].Lateness.Add(now - dueAt);
            run.LateOnes.Consider(SoakKind.Mass, subject, dueAt, now);
        }

        private void CountEnd(SoakFault otherwise)
        {
            if (Interlocked.Increment(ref _ends) > 1)
            {
                run.Tally.Report(otherwise, "one of a mass");
            }
        }
    }
}
