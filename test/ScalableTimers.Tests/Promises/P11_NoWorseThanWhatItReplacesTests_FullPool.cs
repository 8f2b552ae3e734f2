using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P11: timers come in time when the pool is full or its threads are blocked, as .NET's do: timeouts are what ends such
/// a state. Nor do they take the pool from its other work. The same program runs over both, each in a process of its
/// own, whose pool is new.
/// </summary>
[Collection(nameof(Alone))]
public partial class P11_NoWorseThanWhatItReplacesTests_FullPool
{
    private const string Control = "TimeProvider.System";

    // As in the stress tests: their variable asks for the long form.
    private static readonly bool s_isFull = Environment.GetEnvironmentVariable("SCALABLE_TIMERS_STRESS") == "full";

    /// <summary>With 40, it takes some 13 seconds over .NET's timers on two processors.</summary>
    private static readonly int s_blocked = s_isFull ? 40 : 20;

    /// <summary>Each takes 2 milliseconds of a processor.</summary>
    private static readonly int s_items = s_isFull ? 3_000 : 800;

    // Of .NET's timers that are due together, all but one go to the end of the pool's queue, and so does what a thread
    // outside the pool hands to it. Failed before: with the driver's thread 20 items took 5 or 18 seconds, 100 over 60,
    // where .NET takes 10 and 47; now 5 and 13. One of .NET's timers as the driver: 17 to 18 seconds, now 5, seldom 18.
    [Fact]
    public Task Timeouts_BesideManyOfDotNetsTimers_EndWaitsSoonerThanDotNets() =>
        TakesNoMoreThan(0.6, BlockedItems);

    // What comes due later must not wait behind callbacks that wait for it. Failed before: 30 callbacks took 23 to 25
    // seconds, .NET's 9 to 10, now 4 to 6; over one of .NET's timers 16 to 25, now 5 to 10.
    [Fact]
    public Task Callbacks_BlockedUntilLaterTimersFire_EndInNoMoreThanDotNetsTime() =>
        TakesNoMoreThan(1.2, BlockedCallbacks);

    // The same with callbacks of many ticks. Failed before: with the driver's thread they took over 20 seconds, .NET's
    // 8, now 9; over one of .NET's timers 12 to 15. Again if the oldest goes first.
    [Fact]
    public Task Callbacks_BlockedOneAfterAnother_EndInNoMoreThanDotNetsTime() =>
        TakesNoMoreThan(2, CallbacksBlockedInTurn);

    // Failed before with both drivers: no item ran as long as the loops did. Without a pause after long workers that is
    // so again. They waited 1.7 seconds, over .NET's timers 0.6, now 0.1 to 0.2.
    [Fact]
    public Task WorkItems_BesideDelaysThatNeedAllProcessors_WaitNoLongerThanBesideDotNets() =>
        TakesNoMoreThan(1.5, WorkBesideDelays, computes: true);

    // Failed before with both drivers: behind 800 items it was 1.2 to 1.7 seconds late, .NET's some milliseconds. Again
    // if no timer goes first after a callback that took long.
    [Fact]
    public Task Timer_BehindManyWorkItems_DoesNotWaitForThem() => IsOnTime(LoneTimer);

    // Failed before: with the driver's thread it took 0.7 to 1 second, one of .NET's timers 0.3, .NET's own 0.01; now
    // 0.05. Again if a thread does not go back to the pool after a callback that took long. With one of .NET's timers
    // it took 0.3 when one timer for each tick went first, of all that one pass served.
    [Fact]
    public Task WorkItemAfterADelay_BesideTimersThatNeedAllProcessors_DoesNotWaitForThem() =>
        IsOnTime(WorkAfterDelays);

    private static Task IsOnTime(Func<TimeProvider, TimeSpan> program) => OnceInThree(async () =>
    {
        var late = new List<string>();
        foreach (var kind in Enum.GetNames<TimerServiceDriver>().Prepend(Control))
        {
            var lateness = await Measure(kind, program);
            if (lateness > TimeSpan.FromMilliseconds(250))
            {
                late.Add($"{lateness} late with {kind}");
            }
        }

        return late;
    });

    /// <param name="share">How much of .NET's time it takes at most.</param>
    /// <param name="program">What takes that time.</param>
    /// <param name="computes">
    /// Whether its processes run one after another. The others run side by side, so the machine is as busy for each.
    /// </param>
    private static Task TakesNoMoreThan(
        double share, Func<TimeProvider, TimeSpan> program, bool computes = false) => OnceInThree(async () =>
    {
        var control = Measure(Control, program);
        var ours = new List<Task<TimeSpan>>();
        foreach (var driver in Enum.GetNames<TimerServiceDriver>())
        {
            if (computes)
            {
                await (ours.LastOrDefault() ?? control);
            }

            ours.Add(Measure(driver, program));
        }

        var most = share * await control;
        return Enum.GetNames<TimerServiceDriver>().Zip(await Task.WhenAll(ours))
            .Where(one => one.Second > most)
            .Select(one => $"{one.Second} with the driver {one.First}, at most {most}");
    });

    /// <summary>Other processes may take the processors for a while, but hardly three times.</summary>
    private static async Task OnceInThree(Func<Task<IEnumerable<string>>> findFailures)
    {
        var failures = new List<string>();
        for (var i = 0; i < 3; i++)
        {
            var found = string.Join(", ", await findFailures());
            if (found.Length == 0)
            {
                return;
            }

            failures.Add(found);
        }

        Assert.Fail(string.Join('\n', failures));
    }

    /// <summary>
    /// Work items that each block a thread until code on the pool, which waits for their timeout, has gone on.
    /// </summary>
    private static TimeSpan BlockedItems(TimeProvider clock)
    {
        return TimeBesideTimers(s_blocked, over =>
        {
            for (var i = 0; i < s_blocked; i++)
            {
                ThreadPool.UnsafeQueueUserWorkItem(
                    _ =>
                    {
                        using var timeout = new CancellationTokenSource(TimeSpan.FromMilliseconds(500), clock);
                        var answered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                        using var registration = timeout.Token.UnsafeRegister(
                            static answer => ((TaskCompletionSource)answer!).SetResult(), answered);
                        using var goesOn = new ManualResetEventSlim();
                        _ = SetAfter(answered.Task, goesOn);
                        goesOn.WaitHandle.WaitOne();
                        over.Signal();
                    },
                    null);
            }
        });

        static async Task SetAfter(Task answer, ManualResetEventSlim goesOn)
        {
            await answer;
            goesOn.Set();
        }
    }

    /// <summary>Callbacks that each block a thread until a later timer of their own has fired.</summary>
    private static TimeSpan BlockedCallbacks(TimeProvider clock)
    {
        var timers = new List<ITimer>();
        return TimeBesideTimers(s_blocked, over =>
        {
            for (var i = 0; i < s_blocked; i++)
            {
                timers.Add(CreateBlocked(clock, over, TimeSpan.FromMilliseconds(100)));
            }
        });
    }

    /// <summary>The same, of which one comes due every 100 milliseconds, beside no other timers.</summary>
    private static TimeSpan CallbacksBlockedInTurn(TimeProvider clock)
    {
        const int Count = 40;
        var timers = new List<ITimer>();
        using var over = new CountdownEvent(Count);
        var begun = Stopwatch.GetTimestamp();
        for (var i = 0; i < Count; i++)
        {
            timers.Add(CreateBlocked(clock, over, TimeSpan.FromMilliseconds(50 + (100 * i))));
        }

        Wait.For(over, "what is blocked");
        GC.KeepAlive(timers);
        return Stopwatch.GetElapsedTime(begun);
    }

    private static ITimer CreateBlocked(TimeProvider clock, CountdownEvent over, TimeSpan dueTime) =>
        clock.CreateTimer(
            _ =>
            {
                using var timeout = new CancellationTokenSource(TimeSpan.FromMilliseconds(300), clock);
                timeout.Token.WaitHandle.WaitOne();
                over.Signal();
            },
            null,
            dueTime,
            Timeout.InfiniteTimeSpan);

    /// <summary>
    /// How long something takes beside timers of .NET's on all processors, as a program has them, that do hardly
    /// anything.
    /// </summary>
    private static TimeSpan TimeBesideTimers(int count, Action<CountdownEvent> begin)
    {
        var timers = new ConcurrentBag<Timer>();
        Parallel.For(0, 8 * Environment.ProcessorCount, _ =>
        {
            Thread.SpinWait(100_000);
            timers.Add(new Timer(static _ => { }, null, 10, 10));
        });
        var over = new CountdownEvent(count);
        var begun = Stopwatch.GetTimestamp();
        begin(over);
        Wait.For(over, "what is blocked");
        GC.KeepAlive(timers);
        return Stopwatch.GetElapsedTime(begun);
    }

    /// <summary>
    /// How long, in the median, a work item waits beside delays after which more is computed than can be.
    /// </summary>
    private static TimeSpan WorkBesideDelays(TimeProvider clock)
    {
        var begun = Stopwatch.GetTimestamp();
        for (var i = 0; i < 40 * Environment.ProcessorCount; i++)
        {
            _ = ComputeAfterDelays();
        }

        using var never = new ManualResetEventSlim();
        var waits = new ConcurrentBag<TimeSpan>();
        var count = 0;
        for (; !IsOver(); count++)
        {
            never.Wait(20);
            var queued = Stopwatch.GetTimestamp();
            ThreadPool.UnsafeQueueUserWorkItem(_ => waits.Add(Stopwatch.GetElapsedTime(queued)), null);
        }

        Wait.Until(() => waits.Count == count, "the work items");
        return waits.Order().ElementAt(count / 2);

        bool IsOver() => Stopwatch.GetElapsedTime(begun) > TimeSpan.FromSeconds(3);

        async Task ComputeAfterDelays()
        {
            while (!IsOver())
            {
                await Task.Delay(TimeSpan.FromMilliseconds(10), clock).ConfigureAwait(false);
                Compute(milliseconds: 5);
            }
        }
    }

    /// <summary>
    /// How late, in the median, a work item is over that comes after a delay, beside timers that compute for longer
    /// than there is.
    /// </summary>
    private static TimeSpan WorkAfterDelays(TimeProvider clock)
    {
        var (period, delay) = (TimeSpan.FromMilliseconds(100), TimeSpan.FromMilliseconds(30));
        var timers = new List<ITimer>();
        for (var i = 0; i < 10 * Environment.ProcessorCount; i++)
        {
            timers.Add(clock.CreateTimer(static _ => Compute(milliseconds: 40), null, period, period));
        }

        using var never = new ManualResetEventSlim();
        var work = new List<Task<TimeSpan>>();
        while (work.Count < 75)
        {
            never.Wait(20);
            work.Add(WorkAfterADelay());
        }

        timers.ForEach(static timer => timer.Dispose());
        Wait.Until(() => work.All(static one => one.IsCompleted), "the work items");
        return work.Select(static one => one.Result).Order().ElementAt(work.Count / 2);

        async Task<TimeSpan> WorkAfterADelay()
        {
            var begun = Stopwatch.GetTimestamp();
            await Task.Delay(delay, clock).ConfigureAwait(false);
            await Task.Run(static () => { }).ConfigureAwait(false);
            return Stopwatch.GetElapsedTime(begun) - delay;
        }
    }

    /// <summary>A timer, after one that took long, that comes due while seconds of work wait for the pool.</summary>
    private static TimeSpan LoneTimer(TimeProvider clock)
    {
        using var tookLong = new ManualResetEventSlim();
        using var other = clock.CreateTimer(
            _ =>
            {
                Compute(milliseconds: 300);
                tookLong.Set();
            },
            null,
            TimeSpan.Zero,
            Timeout.InfiniteTimeSpan);
        Wait.For(tookLong, "the other timer");
        var worked = new CountdownEvent(s_items);
        for (var i = 0; i < s_items; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    Compute(milliseconds: 2);
                    worked.Signal();
                },
                null);
        }

        var dueTime = TimeSpan.FromMilliseconds(50);
        var firedAt = 0L;
        using var fired = new ManualResetEventSlim();
        var created = Stopwatch.GetTimestamp();
        using var timer = clock.CreateTimer(
            _ =>
            {
                firedAt = Stopwatch.GetTimestamp();
                fired.Set();
            },
            null,
            dueTime,
            Timeout.InfiniteTimeSpan);
        Wait.For(fired, "the timer");
        Wait.For(worked, "the work items");
        return Stopwatch.GetElapsedTime(created, firedAt) - dueTime;
    }

    private static void Compute(int milliseconds)
    {
        for (var begun = Stopwatch.GetTimestamp();
            Stopwatch.GetElapsedTime(begun).TotalMilliseconds < milliseconds;)
        {
        }
    }

    private static async Task<TimeSpan> Measure(string kind, Func<TimeProvider, TimeSpan> program)
    {
        var test = program.Method.Name switch
        {
            nameof(LoneTimer) => nameof(Timer_BehindManyWorkItems_DoesNotWaitForThem),
            nameof(CallbacksBlockedInTurn) => nameof(Callbacks_BlockedOneAfterAnother_EndInNoMoreThanDotNetsTime),
            nameof(WorkAfterDelays) =>
                nameof(WorkItemAfterADelay_BesideTimersThatNeedAllProcessors_DoesNotWaitForThem),
            nameof(BlockedItems) => nameof(Timeouts_BesideManyOfDotNetsTimers_EndWaitsSoonerThanDotNets),
            nameof(BlockedCallbacks) => nameof(Callbacks_BlockedUntilLaterTimersFire_EndInNoMoreThanDotNetsTime),
            _ => nameof(WorkItems_BesideDelaysThatNeedAllProcessors_WaitNoLongerThanBesideDotNets),
        };
        var ended = await Child.Run(kind, () => Wait.For(Run(kind, program), "the program"), test);
        if (ended is not var (exitCode, output))
        {
            return TimeSpan.Zero;
        }

        Assert.True(exitCode == 0, output);
        var took = Took.Match(output).Groups[1].Value;
        return TimeSpan.FromMilliseconds(double.Parse(took, CultureInfo.InvariantCulture));
    }

    private static async Task Run(string kind, Func<TimeProvider, TimeSpan> program)
    {
        using var service = kind == Control
            ? new TimerService()
            : new TimerService(new() { Driver = Enum.Parse<TimerServiceDriver>(kind) });

        // On a thread of its own: all threads of the pool will be busy.
        var took = await Task.Factory.StartNew(
            () => program(kind == Control ? TimeProvider.System : service.TimeProvider),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        await Console.Out.WriteLineAsync(
            string.Create(CultureInfo.InvariantCulture, $"It took {took.TotalMilliseconds} ms."));
    }

    [GeneratedRegex(@"It took (-?[\d.]+) ms\.")]
    private static partial Regex Took { get; }
}
