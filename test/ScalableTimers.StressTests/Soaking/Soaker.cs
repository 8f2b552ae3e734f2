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

    private readonly List<Tracked> _part = round.Ledger.NewPart();
    private readonly DueTimes[] _dueTimes =
    [
        .. round.Subjects.Select(subject => new DueTimes(random, subject.Service, subject.Resolution, s_longest))
    ];

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

        while (!round.IsOver)
        {
            var service = round.Subjects[random.Next(round.Subjects.Length)].Service;
            switch (random.Next(4))
            {
                case 0:
                    await CallAsync(sprint => new Thread(() => sprint()) { IsBackground = true }.Start());
                    break;
                case 1:
                    await Task.Run(Sprint);
                    break;
                case 2:
                    _ = await service.TryDelay(TimeSpan.FromMilliseconds(Pause()));
                    Sprint();
                    break;
                default:
                    await CallAsync(
                        sprint => service.Schedule(_ => sprint(), null, TimeSpan.FromMilliseconds(Pause())));
                    break;
            }

            await Task.Delay(Pause());
        }

        _source.Cancel();
    }

    /// <summary>Hands a sprint to somebody who runs it, and waits for its end.</summary>
    private Task CallAsync(Action<Action> run)
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        run(() =>
        {
            try
            {
                Sprint();
                ended.SetResult();
            }
            catch (Exception exception)
            {
                ended.SetException(exception);
            }
        });
        return ended.Task;
    }

    /// <summary>How many milliseconds it is ahead of its pace. It is at least one, so that others can run.</summary>
    private int Pause()
    {
        var elapsed = Stopwatch.GetElapsedTime(_startedAt);
        return (int)Math.Clamp((_done * 1000.0 / operationsPerSecond) - elapsed.TotalMilliseconds, 1, 20);
    }

    private void Sprint()
    {
        for (var i = 0; i < SprintLength; i++)
        {
            var subject = random.Next(round.Subjects.Length);
            Use(round.Subjects[subject], _dueTimes[subject]);
        }

        _done += SprintLength;
    }

    private void Use(SoakSubject subject, DueTimes dueTimes)
    {
        switch (random.Next(1000))
        {
            case < 640:
                Schedule(subject, dueTimes);
                break;
            case < 760:
                Delay(subject, dueTimes.Next());
                break;
            case < 830:
                var shared = new TrackedToken(round.Ledger);
                _part.Add(shared);
                _ = shared.Share(subject.Service, dueTimes.Next());
                (random.Next(2) == 0 ? shared : round.Tokens.Exchange(shared))?.End();
                break;
            case < 930:
                Rent(subject);
                break;
            case < 935:
                UseProvider(subject);
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
                _ = round.Statistics.Snapshot();
                break;
            case < 990:
                round.Timers.Exchange(null)?.Cancel();
                break;
            default:
                round.Sources.Exchange(null)?.Cancel();
                break;
        }
    }

    private void Schedule(SoakSubject subject, DueTimes dueTimes)
    {
        var timer = new TrackedTimer(round.Ledger) { Then = NextAct(subject) };
        _part.Add(timer);
        switch (random.Next(10))
        {
            case < 3:
                timer.Schedule(subject.Service, dueTimes.Next());
                break;
            case < 6:
                timer.Schedule(subject.Service, random.Next(4) == 0 ? s_hour : dueTimes.Next());
                _ = timer.Cancel();
                break;
            default:
                timer.Schedule(subject.Service, random.Next(4) == 0 ? s_hour : dueTimes.Next());
                Dismiss(round.Timers.Exchange(timer), dueTimes.Next());
                break;
        }
    }

    private void Dismiss(TrackedTimer? timer, TimeSpan dueTime)
    {
        switch (random.Next(8))
        {
            case < 2:
                _ = timer?.Reschedule(dueTime);
                break;
            case 2:
                _ = timer?.Reschedule(s_hour);
                _ = timer?.Cancel();
                break;
            case 3:
                // Another timer may use the entry by the second time.
                _ = timer?.Cancel();
                _ = timer?.Cancel();
                break;
            default:
                _ = timer?.Cancel();
                break;
        }
    }

    /// <summary>
    /// Many timers that are due together. So some are cancelled at the moment when they expire, by one another too.
    /// </summary>
    private void Volley(SoakSubject subject)
    {
        var dueTime = subject.Resolution * random.Next(1, 4);
        for (var i = 0; i < 100; i++)
        {
            var timer = new TrackedTimer(round.Ledger) { Then = i % 10 == 0 ? CancelPeers : null };
            _part.Add(timer);
            timer.Schedule(subject.Service, dueTime);
            _ = round.Timers.Exchange(timer)?.Cancel();
        }
    }

    private void Delay(SoakSubject subject, TimeSpan dueTime)
    {
        var source = random.Next(3) == 0 ? null : UseSource();
        var delay = source is null ? new TrackedDelay(round.Ledger) : new TrackedDelay(round.Ledger, source);
        _part.Add(delay);
        if (random.Next(20) == 0)
        {
            delay.StartThrowing(subject.Service, dueTime, source?.Token ?? default);
        }
        else
        {
            delay.StartTry(subject.Service, dueTime, source?.Token ?? default);
        }
    }

    private void Rent(SoakSubject subject)
    {
        var rented = new TrackedToken(round.Ledger, random.Next(3) == 0 ? UseSource() : null);
        _part.Add(rented);
        rented.Rent(
            subject.Service, random.Next(4) == 0 ? StressTime.UpTo(4, random) + TimeSpan.FromTicks(1) : s_hour);
        (random.Next(2) == 0 ? rented : round.Tokens.Exchange(rented))?.End();
    }

    private void UseProvider(SoakSubject subject)
    {
        var use = new TrackedProviderUse(round.Ledger);
        _part.Add(use);
        use.Start(subject.Service.TimeProvider, random, random.Next(1, random.Next(2) == 0 ? 30 : 1000));
    }

    private TrackedITimer NewPeriodic(SoakSubject subject)
    {
        var options = new CreateTimerOptions
        {
            Tolerance = random.Next(3) == 0 ? StressTime.UpTo(20, random) : TimeSpan.Zero,
            Overlap = random.Next(3) == 0 ? TimerOverlap.Allow : TimerOverlap.Skip,
        };
        var slow = random.Next(10) == 0;
        return new TrackedITimer(
            subject.Service,
            StressTime.UpTo(40, random),
            TimeSpan.FromMilliseconds(random.Next(1, 40)),
            options,
            slow ? static () => Thread.Sleep(2) : null);
    }

    /// <summary>
    /// A token source that several operations use. It is then cancelled by this soaker, by another, or never.
    /// </summary>
    private CancelSource UseSource()
    {
        if (++_sourceUses % SourceUses == 0)
        {
            var before = _source;
            _source = new CancelSource();
            switch (random.Next(3))
            {
                case 0:
                    before.Cancel();
                    break;
                case 1:
                    round.Sources.Exchange(before)?.Cancel();
                    break;
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
