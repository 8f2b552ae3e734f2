namespace Orleans.Timers.Scalable.Tests;

/// <summary>Deadlines of the current flow of control, without any call.</summary>
public sealed class CallDeadlineTests
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    // The longer budget is the longest that a timer can have.
    [Theory]
    [InlineData(3_600_000L)]
    [InlineData(0xFFFFFFFE)]
    public void Begin_WithABudget_BoundsTheScopeOnly(long milliseconds)
    {
        var budget = TimeSpan.FromMilliseconds(milliseconds);
        using (CallDeadline.Begin(budget))
        {
            Assert.InRange(CallDeadline.Remaining!.Value, budget - TimeSpan.FromMinutes(1), budget);
        }

        Assert.Null(CallDeadline.Remaining);
    }

    [Fact]
    public void Begin_InsideAnother_SmallerBudgetApplies()
    {
        using var outer = CallDeadline.Begin(s_hour);
        using (CallDeadline.Begin(s_hour * 2))
        {
            Assert.True(CallDeadline.Remaining <= s_hour);
        }

        using (CallDeadline.Begin(s_hour / 2))
        {
            Assert.True(CallDeadline.Remaining <= s_hour / 2);
        }

        Assert.True(CallDeadline.Remaining > s_hour / 2);
    }

    [Fact]
    public void Begin_BudgetIsInfiniteOrTooLongForATimer_BoundsNothing()
    {
        foreach (var budget in new[] { Timeout.InfiniteTimeSpan, TimeSpan.MaxValue, TimeSpan.FromDays(50) })
        {
            using (CallDeadline.Begin(budget))
            {
                Assert.Null(CallDeadline.Remaining);
            }

            using (CallDeadline.Begin(s_hour))
            using (CallDeadline.Begin(budget))
            {
                Assert.True(CallDeadline.Remaining <= s_hour);
            }
        }

        Assert.Null(CallDeadline.Remaining);
    }

    [Fact]
    public void Begin_BudgetIsNegative_Throws()
    {
        Assert.Throws<ArgumentOutOfRangeException>(
            "budget", static () => CallDeadline.Begin(TimeSpan.FromMilliseconds(-2)));
        Assert.Throws<ArgumentOutOfRangeException>("budget", static () => CallDeadline.Begin(TimeSpan.MinValue));
        Assert.Null(CallDeadline.Remaining);
    }

    [Fact]
    public void Suppress_InsideASpentScope_LiftsTheDeadline()
    {
        using var outer = CallDeadline.Begin(TimeSpan.Zero);
        using (CallDeadline.Suppress())
        {
            Assert.Null(CallDeadline.Remaining);
            using (CallDeadline.Begin(s_hour))
            {
                Assert.True(CallDeadline.Remaining > TimeSpan.Zero);
            }
        }

        Assert.Equal(TimeSpan.Zero, CallDeadline.Remaining);
    }

    [Fact]
    public async Task Dispose_TaskStartedInsideStillRuns_LiftsItsDeadline()
    {
        var disposed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<(TimeSpan?, TimeSpan?)> task;
        using (CallDeadline.Begin(s_hour))
        {
            task = Task.Run(async () =>
            {
                var inside = CallDeadline.Remaining;
                await disposed.Task;
                return (inside, CallDeadline.Remaining);
            });
            await Task.Yield();
        }

        disposed.SetResult();
        var (before, after) = await task.Guarded("the task ends");

        // The pool may have begun the work late.
        Assert.True(before is null || before <= s_hour);
        Assert.Null(after);
    }

    [Fact]
    public void Dispose_Twice_EndsItOnce()
    {
        using var outer = CallDeadline.Begin(s_hour);
        var inner = CallDeadline.Begin(TimeSpan.Zero);
        inner.Dispose();
        using var next = CallDeadline.Begin(s_hour / 2);
        inner.Dispose();

        Assert.InRange(CallDeadline.Remaining!.Value, TimeSpan.FromMinutes(1), s_hour / 2);
    }
}
