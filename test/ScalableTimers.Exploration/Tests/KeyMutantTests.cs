using ScalableTimers.Exploration.Scenarios.Clock;
using ScalableTimers.Exploration.Scenarios.Queues;
using ScalableTimers.Exploration.Scenarios.Driving;
using ScalableTimers.Exploration.Scenarios.Firing;
using ScalableTimers.Exploration.Scenarios.Timeouts;
using ScalableTimers.Exploration.Scenarios.Timers;

namespace ScalableTimers.Exploration.Tests;

/// <summary>
/// The key operations of the protocols. A fault in any of them is found quickly, so a change that blinds the explorer
/// fails the ordinary run.
/// </summary>
public class KeyMutantTests
{
    private const int MaxInterleavings = 3_000;

    /// <summary>
    /// The scenario, the file, the line's text and the fault. If the line no longer exists, the test fails: enter the
    /// line that replaced it. If several lines have the text, all must be found for a fence, and one otherwise.
    /// </summary>
    public static TheoryData<string, string, string, string> Mutants => new()
    {
        {
            nameof(Repeating.OwedFiringBesideAChange), "ChangeableTimer.cs", "Queue.Enter(threadId);",
            nameof(MutantKind.EnteredLate)
        },
        {
            nameof(Repeating.TimerChangedByTwo), "TimerGrid.cs",
            "var found = Interlocked.CompareExchange(ref _next, Timestamp.Never.Units, next);",
            nameof(MutantKind.NotAtomic)
        },
        { nameof(Ending.ScheduleBesideStop), "TimerQueue.All.cs", "_lock.Enter();", nameof(MutantKind.NotEntered) },
        {
            nameof(Joining.TimerChangedBesideATrim), "TimerQueue.All.cs",
            "_lock.Enter();", nameof(MutantKind.NotEntered)
        },
        {
            nameof(Advancing.ClockAdvancedBesideAnArming), "ClockWakeSource.cs", "private readonly Lock _gate = new();",
            nameof(MutantKind.NoLock)
        },
        {
            nameof(Joining.JoinBesideDispose), "QueueRegistry.cs", "private readonly Lock _gate = new();",
            nameof(MutantKind.NoLock)
        },
        {
            nameof(Cancelling.CallbackCancelledByBoth), "EntryState.cs",
            "Interlocked.CompareExchange(ref _word, (life & ~PhaseMask) | (hasResult ? Ended : Idle), life) == life;",
            nameof(MutantKind.NotAtomic)
        },
        {
            nameof(Joining.JoinBesideDispose), "EntryState.cs", "Volatile.Write(ref _word, word);",
            nameof(MutantKind.LostWrite)
        },
        {
            nameof(Batches.BatchUsedAgain), "FiringBatch.cs", "var next = Interlocked.Increment(ref _next) - 1;",
            nameof(MutantKind.NotAtomic)
        },
        {
            nameof(Waiting.TwoWaitForCallbacks), "FiringWorkers.cs", "if (Interlocked.Decrement(ref _workers) == 0)",
            nameof(MutantKind.NotAtomic)
        },
        {
            nameof(Waiting.TwoWaitForCallbacks), "FiringWorkers.cs",
            "idle = Interlocked.CompareExchange(ref _idle, idle, null) ?? idle;", nameof(MutantKind.NotAtomic)
        },
        {
            nameof(Locking.ReentrantLock), "ReentrantInterlockedLock.cs",
            "if (Interlocked.CompareExchange(ref _owner, threadId, 0) != 0)", nameof(MutantKind.NotAtomic)
        },
        {
            nameof(Locking.ReentrantLock), "ReentrantInterlockedLock.cs", "Volatile.Write(ref _owner, 0);",
            nameof(MutantKind.LostWrite)
        },
        {
            nameof(Waking.ClockDriverFallingAsleep), "TimerQueue.cs", "Interlocked.MemoryBarrier();",
            nameof(MutantKind.NoFence)
        },
        {
            nameof(Waking.ClockDriverFallingAsleep), "TimerDriver.cs", "var next = Volatile.Read(ref _nextWakeTick);",
            nameof(MutantKind.StaleRead)
        },
        {
            nameof(Waking.ClockDriverFallingAsleep), "TimerDriver.cs",
            "Interlocked.Exchange(ref _nextWakeTick, earliest);", nameof(MutantKind.NotAtomic)
        },
        {
            nameof(Waking.RingBesideAWakeUp), "RoundDriver.cs", "var unserved = Interlocked.Increment(ref _unserved);",
            nameof(MutantKind.NotAtomic)
        },
        {
            nameof(DriverThreads.TimerBesideADriverThatEnds), "RoundDriver.cs",
            "Volatile.Write(ref _source, new ClockWakeSource(this, Clock));", nameof(MutantKind.LostWrite)
        },
        {
            nameof(DelaysCancelled.DelayReadTwice), "EntryState.cs",
            "(life & PhaseMask) == Ended && Interlocked.CompareExchange(ref _word, life | Claimed, life) == life;",
            nameof(MutantKind.NotAtomic)
        },
        {
            nameof(Batches.UrgentBatches), "UrgentBatches.cs",
            "if (Interlocked.Exchange(ref _isCalled, true))", nameof(MutantKind.NotAtomic)
        },
    };

    [Theory]
    [MemberData(nameof(Mutants))]
    public void Mutant_OfTheProtocols_IsFound(string scenario, string file, string text, string kind)
    {
        var fates = new List<MutantFate>();
        var hunt = new MutantHunt([ScenarioCatalog.Find(scenario)])
        {
            MaxInterleavings = MaxInterleavings,
        };
        hunt.Run(
            mutant => mutant.Kind.ToString() == kind && mutant.Site.FileName == file && mutant.Site.ReadText() == text,
            line => TestContext.Current.TestOutputHelper?.WriteLine(line),
            fates.Add);
        Assert.True(fates.Count > 0, $"{scenario} passes no line of {file} that reads: {text}");
        var missed = fates.Where(static fate => fate.FoundBy is null).ToList();
        Assert.True(kind == nameof(MutantKind.NoFence) ? missed.Count == 0 : missed.Count < fates.Count);
    }
}
