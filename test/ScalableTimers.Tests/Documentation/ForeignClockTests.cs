namespace ScalableTimers.Tests.Documentation;

/// <summary>
/// What .NET refuses for any clock but the system's, as the page on troubleshooting tells. Should .NET change it, that
/// page is wrong.
/// </summary>
[Collection(nameof(Alone))]
public sealed class ForeignClockTests : IDisposable
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly TimerService _timers = new();

    public void Dispose() => _timers.Dispose();

    [Fact]
    public void TryReset_SourceWithATimeoutOfAProvider_IsFalse()
    {
        using var ofTheSystem = new CancellationTokenSource(s_hour, TimeProvider.System);
        using var foreign = new CancellationTokenSource(s_hour, _timers.TimeProvider);

        Assert.True(ofTheSystem.TryReset());
        Assert.False(foreign.TryReset());
        Assert.False(foreign.IsCancellationRequested);
    }

    [Fact]
    public void CancelAfter_SourceCreatedWithAProvider_UsesIt()
    {
        using var source = new CancellationTokenSource(Timeout.InfiniteTimeSpan, _timers.TimeProvider);
        source.CancelAfter(s_hour);

        Assert.Equal(1, _timers.GetSnapshot().Pending);
    }

    [Fact]
    public void CancelAfter_LinkedSource_UsesTheSystemsClock()
    {
        using var outer = new CancellationTokenSource(s_hour, _timers.TimeProvider);
        using var linked = CancellationTokenSource.CreateLinkedTokenSource(outer.Token);
        linked.CancelAfter(s_hour);

        Assert.Equal(1, _timers.GetSnapshot().Pending);
    }

    [Fact]
    public void ActiveCount_DoesNotCountTimersOfAProvider()
    {
        // The test runner has timers of the system's too, so this test starts far more.
        var before = Timer.ActiveCount;
        var timers = Enumerable.Range(0, 10_000)
            .Select(_ => _timers.TimeProvider.CreateTimer(static _ => { }, null, s_hour, Timeout.InfiniteTimeSpan))
            .ToList();

        Assert.InRange(Timer.ActiveCount, 0, before + 5_000);
        timers.ForEach(static timer => timer.Dispose());
    }

    [Fact]
    public void Delay_LongerThan49Days_IsRefusedByTaskDelayAlone()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = Task.Delay(TimeSpan.MaxValue, _timers.TimeProvider); });

        using var source = new CancellationTokenSource();
        var delay = _timers.TryDelay(TimeSpan.MaxValue, source.Token).AsTask();
        Assert.False(delay.IsCompleted);
        source.Cancel();
    }
}
