using FsCheck;
using FsCheck.Fluent;
using ScalableTimers.Tests.Wheel;

namespace ScalableTimers.Tests.Timers;

/// <summary>
/// Any sequence of operations on timers, callbacks within callbacks included, does what a simple model does. A failure
/// prints the seed.
/// </summary>
public class ChangeableTimerModelTests
{
    private static readonly Gen<int> s_timer = Gen.Choose(0, ChangeableTimerModelRun.Timers - 1);

    // Durations in milliseconds: about the resolution, some multiples of it, long ones, and infinite.
    private static readonly Gen<int> s_dueTime = Gen.Frequency(
        (3, Gen.Choose(0, 35)), (
            3,
            Gen.Choose(0, 40).Select(static ticks => ticks * 10)), (1, Gen.Choose(500, 3_000)), (1, Gen.Constant(-1)));

    private static readonly Gen<int> s_period = Gen.Frequency(
        (2, Gen.Choose(1, 35)), (
            3,
            Gen.Choose(1, 20).Select(static ticks => ticks * 10)), (1, Gen.Choose(200, 900)), (2, Gen.Elements(0, -1)));

    private static readonly Gen<ChangeableTimerOperation> s_operation = Gen.Frequency(
        (3, from timer in s_timer
            from dueTime in s_dueTime
            from period in s_period
            select (ChangeableTimerOperation)new ChangeableTimerOperation.Change(timer, dueTime, period)),
        (1, s_timer.Select(static timer => (ChangeableTimerOperation)new ChangeableTimerOperation.Dispose(timer))),
        (
            6,
            from duration in s_dueTime
            select (ChangeableTimerOperation)new ChangeableTimerOperation.Advance(Math.Max(0, duration))),
        (8, Gen.Constant((ChangeableTimerOperation)new ChangeableTimerOperation.Begin())),
        (6, Gen.Constant((ChangeableTimerOperation)new ChangeableTimerOperation.Return())));

    // Seen to fail at once with each of five changes: no postponed firing, missed periods not counted, a tolerance that
    // reaches the next moment, overlapping firings of the service's timers, and none of the time provider's.
    [Fact]
    public void AnySequenceOfOperations_MatchesTheModel()
    {
        Prop.ForAll(Arb.From(s_operation.ArrayOf(), WheelExtensions.LeaveOut), static operations =>
        {
            using var run = new ChangeableTimerModelRun(operations);
            run.Finish();
        }).Check(Config.QuickThrowOnFailure.WithQuietOnSuccess(true).WithMaxTest(2_000).WithEndSize(150));
    }
}
