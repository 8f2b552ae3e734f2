using System.Diagnostics;
using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>
/// Uses everything at random: on threads that end, on the pool, in callbacks, and after delays of each service.
/// </summary>
/// <remarks>It runs on one thread at a time, so its state needs no lock.</remarks>
internal sealed class Soaker(SoakRound round, Random random, int operationsPerSecond)
{
    private const int SprintLength = 250;
    private const int SourceUses = 24;

    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly long _startedAt = Stopwatch.GetTimestamp();
    private CancelSource _source = new();
    private int _sourceUses;
    private long _done;

    /// <summary>Timers that fire until the end of the round.</summary>
    internal List<TrackedITimer> Periodic { get; } = [];

    internal long Durations { get; private set; }

    internal async Task RunAsync()
    {
        foreach (var subject in round.Subjects)
        {
            Periodic.Add(NewPeriodic(subject));
        }

        for (; !round.IsOver; await Task.Delay(Pause()))
        {
            var service = round.Subjects[random.Next(round.Subjects.Length)].Service;
            var sprint = new Task(Sprint, TaskCreationOptions.RunContinuationsAsynchronously);
            void Run() => sprint.RunSynchronously(TaskScheduler.Default);
            switch (random.Next(4))
            {
                case 0:
                    new Thread(Run) { IsBackground = true }.Start();
                    break;
                case 1:
                    sprint.Start(TaskScheduler.Default);
                    break;
                case 2:
                    _ = await service.TryDelay(TimeSpan.FromMilliseconds(Pause()));
                    Run();
                    break;
                default:
                    _ = service.Schedule(_ => Run(), null, TimeSpan.FromMilliseconds(Pause()));
                    break;
            }

            await sprint;
        }

        _source.Cancel();
    }

    /// <summary>How many milliseconds it is ahead of its pace; at least one, so that others can run.</summary>
    private int Pause()
    {
        var elapsed = Stopwatch.GetElapsedTime(_startedAt);
        return (int)Math.Clamp((_done * 1000.0 / operationsPerSecond) - elapsed.TotalMilliseconds, 1, 20);
    }

    private void Sprint()
    {
        for (var i = 0; i < SprintLength; i++)
        {
            Use(round.Subjects[random.Next(round.Subjects.Length)]);
        }

        _done += SprintLength;
    }

    private void Use(SoakSubject subject)
    {
        switch (random.Next(1000))
        {
            case < 640:
                Schedule(subject);
                break;
            case < 760:
                Delay(subject, NextDueTime(subject));
                break;
            case < 930:
                var token = round.Ledger.Add(new TrackedToken(round.Ledger));
                token.Register(subject.Service, NextDueTime(subject));
                (random.Next(2) == 0 ? token : round.Tokens.Exchange(token))?.End();
                break;
            case < 935:
                round.Ledger.Add(new TrackedProviderUse(round.Ledger))
                    .Start(subject.Service.TimeProvider, random, random.Next(1, random.Next(2) == 0 ? 30 : 1000));
                break;
            case < 965:
                round.Statistics.Add("durations", TimeSpan.FromTicks(random.Next(1, 1_000_000)));
                Durations++;
                break;
            case < 967:
                Volley(subject);
                break;
            case < 969:
                _ = subject.Service.GetSnapshot();
                _ = round.Statistics.GetSnapshot();
                break;
            case < 990:
                round.Timers.Exchange(null)?.Cancel();
                break;
            default:
                round.Sources.Exchange(null)?.Cancel();
                break;
        }
    }

    private void Schedule(SoakSubject subject)
    {
        var timer = round.Ledger.Add(new TrackedTimer(round.Ledger) { Then = NextAct(subject) });
        var use = random.Next(10);
        timer.Schedule(subject.Service, use >= 3 && random.Next(4) == 0 ? s_hour : NextDueTime(subject));
        if (use >= 6)
        {
            Dismiss(round.Timers.Exchange(timer), NextDueTime(subject));
        }
        else if (use >= 3)
        {
            _ = timer.Cancel();
        }
    }

    // Zero, a fraction of a tick, whole ticks, or anything.
    private TimeSpan NextDueTime(SoakSubject subject) => random.Next(8) switch
    {
        0 => TimeSpan.Zero,
        1 => subject.Resolution * random.NextDouble(),
        < 4 => subject.Resolution * random.Next(1, 256),
        _ => s_longest * random.NextDouble(),
    };

    private void Dismiss(TrackedTimer? timer, TimeSpan dueTime)
    {
        var way = random.Next(8);
        if (way < 3)
        {
            _ = timer?.Reschedule(way < 2 ? dueTime : s_hour);
        }

        if (way >= 2)
        {
            _ = timer?.Cancel();
        }

        if (way == 3)
        {
            // Another timer may use the entry by now.
            _ = timer?.Cancel();
        }
    }

    /// <summary>Many timers due together, so that some are cancelled just as they expire, also by each other.</summary>
    private void Volley(SoakSubject subject)
    {
        var dueTime = subject.Resolution * random.Next(1, 4);
        for (var i = 0; i < 100; i++)
        {
            var timer = round.Ledger.Add(new TrackedTimer(round.Ledger) { Then = i % 10 == 0 ? CancelPeers : null });
            timer.Schedule(subject.Service, dueTime);
            _ = round.Timers.Exchange(timer)?.Cancel();
        }
    }

    private void Delay(SoakSubject subject, TimeSpan dueTime)
    {
        var source = random.Next(3) == 0 ? null : UseSource();
        var delay = source is null ? new TrackedDelay(round.Ledger) : new TrackedDelay(round.Ledger, source);
        round.Ledger.Add(delay);
        Action<TimerService, TimeSpan, CancellationToken> start =
            random.Next(20) == 0 ? (service, due, token) => delay.StartThrowing(service, due, token) : delay.StartTry;
        start(subject.Service, dueTime, source?.Token ?? default);
    }

    private TrackedITimer NewPeriodic(SoakSubject subject)
    {
        var dueTime = StressTime.UpTo(40, random);
        var period = TimeSpan.FromMilliseconds(random.Next(1, 40));
        Action? body = random.Next(10) == 0 ? static () => Thread.Sleep(2) : null;
        if (random.Next(3) == 0)
        {
            return new TrackedITimer(subject.Service.TimeProvider, dueTime, period, body);
        }

        var tolerance = random.Next(3) == 0 ? StressTime.UpTo(20, random) : TimeSpan.Zero;
        return new TrackedITimer(subject.Service, dueTime, period, tolerance, body);
    }

    /// <summary>A token source for several operations, which this soaker, another one or none cancels.</summary>
    private CancelSource UseSource()
    {
        if (++_sourceUses % SourceUses == 0)
        {
            var before = _source;
            _source = new CancelSource();
            if (random.Next(3) is var fate && fate < 2)
            {
                (fate == 0 ? before : round.Sources.Exchange(before))?.Cancel();
            }
        }

        return _source;
    }

    private Action? NextAct(SoakSubject subject) => random.Next(10_000) switch
    {
        < 3 => static () => Thread.Sleep(10),
        < 53 => subject.Throw,
        < 1_000 => CancelPeers,
        _ => null,
    };

    private void CancelPeers()
    {
        for (var i = 0; i < 4; i++)
        {
            _ = round.Timers.Exchange(null)?.Cancel();
        }
    }
}
