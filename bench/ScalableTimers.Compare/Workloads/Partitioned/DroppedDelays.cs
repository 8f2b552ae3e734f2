using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Partitioned;

/// <summary>
/// What does a timeout cost that nobody cancels when the work is done, from its start until it has fired without
/// effect?
/// </summary>
internal sealed class DroppedDelays : Workload
{
    private const int Count = 400_000;
    private static readonly TimeSpan s_dueTime = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(2);

    internal override string Name => "partitioned-dropped";

    internal override string Question =>
        "What does Task.WhenAny(work, delay) cost in processor time when the work ends first and the delay of a "
        + "second is dropped, until it has ended too? "
        + "(a thread for each processor; ns is how long a thread takes to start one; the last row cancels its delays)";

    internal override string ComparedBy => "processor time";

    internal override bool IsSlow => true;

    internal override bool CountsLockWaits => true;

    // One service for all rounds.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var queue = new GlobalLockQueue();
        var delays = new Task[Count / scale.Divisor];
        Contestant Dropped(string name, Func<Task> delay) => new(name, () => Run(delays, () => Race(delay())));
        return
        [
            Dropped("Task.Delay", static () => Task.Delay(s_dueTime)),
            Dropped("one lock, one list", () => queue.Delay(s_dueTime)) with { Owned = queue },
            Dropped("Delay(…).AsTask()", () => timers.Delay(s_dueTime).AsTask()) with
            {
                Owned = timers,
                HasCountedLocks = false,
            },
            Dropped("Task.Delay over TimeProvider", () => Task.Delay(s_dueTime, timers.TimeProvider)) with
            {
                HasCountedLocks = false,
            },
            new("Task.Delay + cancel", () => Run(delays, RaceThenCancel)),
        ];
    }

    private static Task Race(Task delay)
    {
        var work = new TaskCompletionSource();
        var first = Task.WhenAny(work.Task, delay);
        work.SetResult();
        return first.IsCompletedSuccessfully
            ? delay
            : throw new InvalidOperationException("The work has ended, and the wait for it has not.");
    }

    private static Task RaceThenCancel()
    {
        using var source = new CancellationTokenSource();
        var delay = Race(Task.Delay(s_dueTime, source.Token));
        source.Cancel();
        return delay;
    }

    // The delays are kept in order to see their ends, but nothing waits for them. Their timers keep them alive anyway.
    private static Measurement Run(Task[] delays, Func<Task> start)
    {
        var each = delays.Length / Environment.ProcessorCount;
        var before = Usage.Now();
        var threads = Enumerable.Range(0, Environment.ProcessorCount)
            .Select(thread => new Thread(() => Fill(delays.AsSpan(thread * each, each), start)))
            .ToList();
        threads.ForEach(static thread => thread.Start());
        threads.ForEach(static thread => thread.Join());
        var started = Usage.Now();
        foreach (var delay in delays.AsSpan(0, each * threads.Count))
        {
            while (!delay.IsCompleted)
            {
                Thread.Sleep(s_look);
            }
        }

        var measured = Measurement.OfOperations(before, Usage.Now(), each, threads.Count);
        Array.Clear(delays);
        return measured with
        {
            Compared = measured.CpuNanoseconds,
            WallNanoseconds = before.WallUntil(started).TotalNanoseconds / each,
        };
    }

    private static void Fill(Span<Task> delays, Func<Task> start)
    {
        foreach (ref var delay in delays)
        {
            delay = start();
        }
    }
}
