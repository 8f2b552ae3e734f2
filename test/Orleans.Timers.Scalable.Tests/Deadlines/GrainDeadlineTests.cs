namespace Orleans.Timers.Scalable.Tests;

/// <summary>Deadlines of the current flow of control, without any call.</summary>
public sealed class GrainDeadlineTests
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    // The longer budget is the longest that a timer can have.
    [Theory]
    [InlineData(3_600_000L)]
    [InlineData(0xFFFFFFFE)]
    public void Begin_WithABudget_BoundsTheScopeOnly(long milliseconds)
    {
        var budget = TimeSpan.FromMilliseconds(milliseconds);
        using (GrainDeadline.Begin(budget))
        {
            Assert.InRange(GrainDeadline.Remaining!.Value, budget - TimeSpan.FromMinutes(1), budget);
            Assert.True(GrainDeadline.Token.CanBeCanceled);
            Assert.False(GrainDeadline.Token.IsCancellationRequested);
        }

        Assert.Null(GrainDeadline.Remaining);
        Assert.Equal(CancellationToken.None, GrainDeadline.Token);
    }

    [Fact]
    public void Begin_InsideAnother_SmallerBudgetApplies()
    {
        using var outer = GrainDeadline.Begin(s_hour);
        using (GrainDeadline.Begin(s_hour * 2))
        {
            Assert.True(GrainDeadline.Remaining <= s_hour);
        }

        using (GrainDeadline.Begin(s_hour / 2))
        {
            Assert.True(GrainDeadline.Remaining <= s_hour / 2);
        }

        Assert.True(GrainDeadline.Remaining > s_hour / 2);
    }

    [Fact]
    public void Begin_BudgetIsInfiniteOrTooLongForATimer_BoundsNothing()
    {
        foreach (var budget in new[] { Timeout.InfiniteTimeSpan, TimeSpan.MaxValue, TimeSpan.FromDays(50) })
        {
            using (GrainDeadline.Begin(budget))
            {
                Assert.Null(GrainDeadline.Remaining);
            }

            using (GrainDeadline.Begin(s_hour))
            using (GrainDeadline.Begin(budget))
            {
                Assert.True(GrainDeadline.Remaining <= s_hour);
            }
        }

        Assert.Null(GrainDeadline.Remaining);
    }

    [Fact]
    public void Begin_BudgetIsNegative_Throws()
    {
        Assert.Throws<ArgumentOutOfRangeException>(
            "budget", static () => GrainDeadline.Begin(TimeSpan.FromMilliseconds(-2)));
        Assert.Throws<ArgumentOutOfRangeException>("budget", static () => GrainDeadline.Begin(TimeSpan.MinValue));
        Assert.Null(GrainDeadline.Remaining);
    }

    [Fact]
    public void Suppress_InsideASpentScope_LiftsTheDeadline()
    {
        using var outer = GrainDeadline.Begin(TimeSpan.Zero);
        using (GrainDeadline.Suppress())
        {
            Assert.Null(GrainDeadline.Remaining);
            using (GrainDeadline.Begin(s_hour))
            {
                Assert.True(GrainDeadline.Remaining > TimeSpan.Zero);
            }

            Assert.Equal(CancellationToken.None, GrainDeadline.Token);
        }

        Assert.Equal(TimeSpan.Zero, GrainDeadline.Remaining);
        Assert.True(GrainDeadline.Token.IsCancellationRequested);
    }

    [Fact]
    public async Task Dispose_TaskStartedInsideStillRuns_LiftsItsDeadline()
    {
        var disposed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<(TimeSpan?, TimeSpan?)> task;
        using (GrainDeadline.Begin(s_hour))
        {
            task = Task.Run(async () =>
            {
                var inside = GrainDeadline.Remaining;
                await disposed.Task;
                return (inside, GrainDeadline.Remaining);
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
        using var outer = GrainDeadline.Begin(s_hour);
        var inner = GrainDeadline.Begin(TimeSpan.Zero);
        inner.Dispose();
        using var next = GrainDeadline.Begin(s_hour / 2);
        inner.Dispose();

        Assert.InRange(GrainDeadline.Remaining!.Value, TimeSpan.FromMinutes(1), s_hour / 2);
    }

    [Fact]
    public async Task Token_OfAScope_IsNotCancelledEarly()
    {
        var budget = TimeSpan.FromMilliseconds(150);
        using var scope = GrainDeadline.Begin(budget);
        var start = TimeProvider.System.GetTimestamp();
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        TimeSpan? left = null;
        TimeSpan took = default;
        using var registration = GrainDeadline.Token.Register(() =>
        {
            (left, took) = (GrainDeadline.Remaining, TimeProvider.System.GetElapsedTime(start));
            cancelled.SetResult();
        });

        await cancelled.Task.Guarded("the token is cancelled");

        Assert.Equal(TimeSpan.Zero, left);
        Assert.True(took >= budget - TimeSpan.FromMilliseconds(1), $"{took}");
    }
}
