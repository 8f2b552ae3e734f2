using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Mutants;
using ScalableTimers.Exploration.Scenarios;
using ScalableTimers.Exploration.Scenarios.Collections;
using ScalableTimers.Exploration.Scenarios.Timers;

namespace ScalableTimers.Exploration.Tests;

/// <summary>
/// The key operations of the protocols. Each is found quickly when it works wrongly. So a change that makes the
/// explorer blind fails the ordinary run.
/// </summary>
public class KeyMutantTests
{
    private const int MaxInterleavings = 3_000;

    /// <summary>
    /// The scenario, the file, the line's text and the fault. If the line no longer exists, the test fails. Put the
    /// line here that has replaced it.
    /// </summary>
    public static TheoryData<string, string, string, string> Mutants => new()
    {
        {
            nameof(OwedFiringBesideAChange), "ServiceTimer.cs",
            "if (Collection.Enter(me) && _isOwed)", nameof(MutantKind.EnteredLate)
        },
        {
            nameof(CallbackOfAReplacedThreadSchedules), "ThreadWakeSource.cs",
            "else if (!ReferenceEquals(Thread.CurrentThread, Volatile.Read(ref _drivingThread)))",
            nameof(MutantKind.StaleRead)
        },
        {
            nameof(ScheduleBesideDispose), "CallbackEntry.cs",
            "collection.EnterOpen(me);", nameof(MutantKind.NotEntered)
        },
        { nameof(ScheduleBesideStop), "TimerCollection.cs", "_lock.Enter();", nameof(MutantKind.NotEntered) },
        {
            nameof(TurnRefusedBesideAnotherScheduler), "ThreadWakeSource.cs",
            "if (Volatile.Read(ref _state) == Unstarted",
            nameof(MutantKind.StaleRead)
        },
        {
            nameof(TwoArmAtOnce), "ThreadWakeSource.cs",
            "&& Interlocked.CompareExchange(ref _state, Started, Unstarted) == Unstarted)",
            nameof(MutantKind.NotAtomic)
        },
        {
            nameof(RoundsBeginBesideTheirEnd), "TokensAhead.cs",
            "Interlocked.Exchange(ref _timer, timer);", nameof(MutantKind.NotAtomic)
        },
        {
            nameof(LeaseRentedBesideDispose), "RepeatingEntry.cs",
            "var isDriven = Collection.Enter(me);", nameof(MutantKind.EnteredLate)
        },
        {
            nameof(ScheduleBesideDispose), "CollectionRegistry.cs",
            "private readonly Lock _gate = new();", nameof(MutantKind.NoLock)
        },
        {
            nameof(CancelBesideExpiry), "EntryState.cs",
            "Interlocked.CompareExchange(ref _word, EndOf(life, hasResult), life) == life;",
            nameof(MutantKind.NotAtomic)
        },
        {
            nameof(ScheduleBesideDispose), "EntryState.cs",
            "Volatile.Write(ref _word, word);", nameof(MutantKind.LostWrite)
        },
        {
            nameof(BatchHandedOn), "FiringBatch.cs",
            "var next = Interlocked.Increment(ref _next) - 1;", nameof(MutantKind.NotAtomic)
        },
        {
            nameof(BatchHandedOn), "FiringDispatcher.cs",
            "internal void EnterWorker() => Interlocked.Increment(ref _workers);", nameof(MutantKind.NotAtomic)
        },
        {
            nameof(BatchRefusedByThePool), "FiringDispatcher.cs",
            "if (Interlocked.Decrement(ref _workers) >= 0 && Volatile.Read(ref _isWaitedFor))",
            nameof(MutantKind.StaleRead)
        },
        {
            nameof(WaitForOthers), "FiringDispatcher.cs",
            "Volatile.Write(ref _isWaitedFor, true);", nameof(MutantKind.LostWrite)
        },
        {
            nameof(BatchHandedOn), "FiringDispatcher.cs",
            "var running = Volatile.Read(ref _workers);", nameof(MutantKind.StaleRead)
        },
        {
            nameof(BlockedFiringThreadIsReplaced), "FiringWatchdog.cs",
            "Volatile.Write(ref _batch, batch);", nameof(MutantKind.LostWrite)
        },
        {
            nameof(LeaseRentedBesideTimeout), "LeasedTimeout.cs",
            "var found = Interlocked.CompareExchange(ref _state, idle, state);", nameof(MutantKind.NotAtomic)
        },
        {
            nameof(LeaseRentedBesideTimeout), "LeasedTimeout.cs",
            "&& Interlocked.CompareExchange(ref _state, (state & ~PhaseMask) | phase, state) == state)",
            nameof(MutantKind.NotAtomic)
        },
        {
            nameof(ReentrantLock), "ReentrantInterlockedLock.cs",
            "if (Interlocked.CompareExchange(ref _owner, me, 0) != 0)", nameof(MutantKind.NotAtomic)
        },
        {
            nameof(ReentrantLock), "ReentrantInterlockedLock.cs",
            "while (Volatile.Read(ref _owner) != 0 || Interlocked.CompareExchange(ref _owner, me, 0) != 0);",
            nameof(MutantKind.StaleRead)
        },
        {
            nameof(ReentrantLock), "ReentrantInterlockedLock.cs",
            "Volatile.Write(ref _owner, 0);", nameof(MutantKind.LostWrite)
        },
        {
            nameof(DriverThreadDisposed), "ThreadWakeSource.cs",
            "if (Volatile.Read(ref _isDisposed))", nameof(MutantKind.StaleRead)
        },
        {
            nameof(ClockDriverFallingAsleep), "AnnouncedTick.cs",
            "internal readonly long Read() => Volatile.Read(in _tick);", nameof(MutantKind.StaleRead)
        },
        {
            nameof(ClockDriverFallingAsleep), "AnnouncedTick.cs",
            "Volatile.Write(ref _tick, deadlineTick);", nameof(MutantKind.LostWrite)
        },
        {
            nameof(ClockDriverFallingAsleep), "AnnouncedTick.cs",
            "Interlocked.MemoryBarrier();", nameof(MutantKind.NoFence)
        },
        {
            nameof(ClockDriverFallingAsleep), "TimerDriver.cs",
            "internal long NextWakeTick => Volatile.Read(ref _nextWakeTick);", nameof(MutantKind.StaleRead)
        },
        {
            nameof(ClockDriverFallingAsleep), "TimerDriver.cs",
            "Interlocked.Exchange(ref _nextWakeTick, earliest);", nameof(MutantKind.NotAtomic)
        },
        {
            nameof(ClockFailsBesideANewThread), "TimerDriver.cs",
            "if (Volatile.Read(ref _isUnset) != 0)",
            nameof(MutantKind.StaleRead)
        },
        {
            nameof(ClockFailsBesideANewThread), "TimerDriver.cs",
            "Interlocked.Exchange(ref _isUnset, 1);", nameof(MutantKind.NotAtomic)
        },
        {
            nameof(ClockFailsBesideARing), "TimerDriver.cs",
            "Volatile.Write(ref _asked, 0);", nameof(MutantKind.LostWrite)
        },
        {
            nameof(BatchHandedOnInTwoLives), "FiringBatch.cs",
            "if (Volatile.Read(ref _next) >= _count)", nameof(MutantKind.StaleRead)
        },
        {
            nameof(BatchHandedOnInTwoLives), "FiringBatch.cs",
            "var workers = Volatile.Read(ref _workers);", nameof(MutantKind.StaleRead)
        },
        {
            nameof(BatchHandedOnInTwoLives), "FiringBatch.cs",
            "Volatile.Write(ref _workers, 1);", nameof(MutantKind.LostWrite)
        },
        {
            nameof(WaitBesideTheEndOfAnotherWait), "FiringDispatcher.cs",
            "private readonly Lock _gate = new();", nameof(MutantKind.NoLock)
        },
        {
            nameof(DriverThreadDisposed), "ThreadWakeSource.cs",
            "Volatile.Write(ref _isDisposed, true);", nameof(MutantKind.LateWrite)
        },
        {
            nameof(TwoEndTheService), "TimerService.cs",
            "if (Interlocked.Exchange(ref _isStopped, 1) == 0)", nameof(MutantKind.NotAtomic)
        },
        {
            nameof(TwoEndTheService), "TimerService.cs",
            "var isFirst = Interlocked.Exchange(ref _isDisposed, 1) == 0;", nameof(MutantKind.NotAtomic)
        },
        {
            nameof(LeaseOfOtherThreadsTimesOut), "LeasedTimeout.cs",
            "var state = Volatile.Read(ref _state);", nameof(MutantKind.StaleRead)
        },
        {
            nameof(LeaseOfOtherThreadsIsCancelled), "LeasedTimeout.cs",
            "private void Cancel(long phase) => Cancel(phase, Volatile.Read(ref _state));", nameof(MutantKind.StaleRead)
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
            AreHealthy = true,
        };
        hunt.Run(
            mutant => mutant.Kind.ToString() == kind && mutant.Site.FileName == file && mutant.Site.ReadText() == text,
            line => TestContext.Current.TestOutputHelper?.WriteLine(line),
            fates.Add);
        Assert.True(fates.Count > 0, $"{scenario} passes no line of {file} that reads: {text}");
        Assert.Contains(fates, static fate => fate.FoundBy is not null);
    }
}
