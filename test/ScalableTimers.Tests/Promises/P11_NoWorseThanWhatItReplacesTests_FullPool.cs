using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P11: timers come in time when the pool is full or its threads are blocked, as .NET's do: timeouts are what ends such
/// a state. The same program runs over both, each in a process of its own, whose pool is new.
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

    // Failed before with both drivers: 20 items took 17 to 18 seconds and .NET 8; 40 items 34 to 37 and .NET 12 to 14.
    [Fact]
    public Task Timeouts_OfItemsThatBlockThePool_EndThemInNoMoreThanDotNetsTime() =>
        TakesNoMoreThan(1.5, BlockedItems);

    // Of .NET's timers that are due together, all but one go to the end of the pool's queue, and so does what a thread
    // outside the pool hands to it. Failed before: with the driver's thread 20 items took 5 or 18 seconds, 100 over 60,
    // where .NET takes 10 and 47; now 5 and 13. One of .NET's timers as the driver: 17 to 18 seconds, now 5, seldom 18.
    [Fact]
    public Task Timeouts_BesideManyOfDotNetsTimers_EndWaitsSoonerThanDotNets() =>
        TakesNoMoreThan(0.6, BlockedItemsBesideTimers);

    // Failed before with both drivers: behind 800 items it was 1.2 to 1.7 seconds late, .NET's some milliseconds.
    [Fact]
    public Task Timer_BehindManyWorkItems_DoesNotWaitForThem() => OnceInThree(static async () =>
    {
        var late = new List<string>();
        foreach (var kind in Enum.GetNames<TimerServiceDriver>().Prepend(Control))
        {
            var lateness = await Measure(kind, LoneTimer);
            if (lateness > TimeSpan.FromMilliseconds(250))
            {
                late.Add($"{lateness} late with {kind}");
            }
        }

        return late;
    });

    // The processes run side by side, because they wait and compute little: so the machine is as busy for each.
    private static Task TakesNoMoreThan(double share, Func<TimeProvider, TimeSpan> program) => OnceInThree(async () =>
    {
        var drivers = Enum.GetNames<TimerServiceDriver>();
        var ours = drivers.Select(driver => Measure(driver, program)).ToList();
        var control = await Measure(Control, program);
        return drivers.Zip(await Task.WhenAll(ours))
            .Where(one => one.Second > share * control)
            .Select(one => $"{one.Second} with the driver {one.First}, .NET's {control}");
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

    /// <summary>Work items that each block a thread until their own timeout ends them.</summary>
    private static TimeSpan BlockedItems(TimeProvider clock) =>
        Block(clock, static timeout => timeout.WaitHandle.WaitOne());

    /// <summary>
    /// Work items that each block a thread until code on the pool, which waits for their timeout, has gone on. Beside
    /// timers on all processors, as a program has them, that do hardly anything.
    /// </summary>
    private static TimeSpan BlockedItemsBesideTimers(TimeProvider clock)
    {
        var timers = new ConcurrentBag<Timer>();
        Parallel.For(0, 8 * Environment.ProcessorCount, _ =>
        {
            Thread.SpinWait(100_000);
            timers.Add(new Timer(static _ => { }, null, 10, 10));
        });
        var took = Block(clock, static timeout =>
        {
            var answered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            using var registration = timeout.UnsafeRegister(
                static answer => ((TaskCompletionSource)answer!).SetResult(), answered);
            using var goesOn = new ManualResetEventSlim();
            _ = SetAfter(answered.Task, goesOn);
            goesOn.WaitHandle.WaitOne();
        });
        GC.KeepAlive(timers);
        return took;

        static async Task SetAfter(Task answer, ManualResetEventSlim goesOn)
        {
            await answer;
            goesOn.Set();
        }
    }

    private static TimeSpan Block(TimeProvider clock, Action<CancellationToken> wait)
    {
        var over = new CountdownEvent(s_blocked);
        var begun = Stopwatch.GetTimestamp();
        for (var i = 0; i < s_blocked; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    using var timeout = new CancellationTokenSource(TimeSpan.FromMilliseconds(500), clock);
                    wait(timeout.Token);
                    over.Signal();
                },
                null);
        }

        Wait.For(over, "the timeouts");
        return Stopwatch.GetElapsedTime(begun);
    }

    /// <summary>A timer that comes due while a few seconds of work wait for the pool.</summary>
    private static TimeSpan LoneTimer(TimeProvider clock)
    {
        var worked = new CountdownEvent(s_items);
        for (var i = 0; i < s_items; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    for (var begun = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(begun).TotalMilliseconds < 2;)
                    {
                    }

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

    private static async Task<TimeSpan> Measure(string kind, Func<TimeProvider, TimeSpan> program)
    {
        var test = program.Method.Name switch
        {
            nameof(LoneTimer) => nameof(Timer_BehindManyWorkItems_DoesNotWaitForThem),
            nameof(BlockedItems) => nameof(Timeouts_OfItemsThatBlockThePool_EndThemInNoMoreThanDotNetsTime),
            _ => nameof(Timeouts_BesideManyOfDotNetsTimers_EndWaitsSoonerThanDotNets),
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
