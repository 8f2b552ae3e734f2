namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P11: code after a wait may block, as after .NET's own waits, also where callbacks run on the driver's thread.
/// </summary>
public class P11_NoWorseThanWhatItReplacesTests_DriverThread
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(20);

    // Failed before with both drivers, all seven: the code ran on the driver's thread, so that timer never fired.
    [Theory]
    [InlineData("Task.Delay")]
    [InlineData("PeriodicTimer")]
    [InlineData("CancellationTokenSource")]
    [InlineData("CreateTimer")]
    [InlineData("Delay")]
    [InlineData("CancelAfter")]
    [InlineData("GetTimeoutToken")]
    public async Task Wait_CodeAfterItBlocksUntilATimerFires_TheTimerFires(string wait)
    {
        var control = Blocks(wait, TimeProvider.System, service: null);
        foreach (var driver in Enum.GetValues<TimerServiceDriver>())
        {
            await using var service = new TimerService(
                new() { Driver = driver, CallbackThread = CallbackThread.DriverThread });

            Assert.True(await Blocks(wait, service.TimeProvider, service), $"It never fired with the driver {driver}.");
        }

        Assert.True(await control);
    }

    private static async Task<bool> Blocks(string wait, TimeProvider clock, TimerService? service)
    {
        using var fired = new ManualResetEventSlim();
        var ended = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        void Block(object? state)
        {
            using var timer = clock.CreateTimer(_ => fired.Set(), null, s_tick, Timeout.InfiniteTimeSpan);
            ended.TrySetResult(fired.Wait(TimeSpan.FromSeconds(5)));
        }

        async Task BlockAfter(ValueTask waited)
        {
            await waited.ConfigureAwait(false);
            Block(null);
        }

        using var periodic = new PeriodicTimer(TimeSpan.FromHours(1), clock);
        using var source = new CancellationTokenSource();
        using var withTime = new CancellationTokenSource(Timeout.InfiniteTimeSpan, clock);
        using var timer = clock.CreateTimer(Block, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        switch (wait)
        {
            case "PeriodicTimer":
                _ = BlockAfter(new(periodic.WaitForNextTickAsync(CancellationToken.None).AsTask()));
                periodic.Period = s_tick;
                break;
            case "CreateTimer":
                timer.Change(s_tick, Timeout.InfiniteTimeSpan);
                break;
            case "CancelAfter" when service is not null:
                source.Token.UnsafeRegister(Block, null);
                service.CancelAfter(source, s_tick);
                break;
            case "GetTimeoutToken" when service is not null:
                service.GetTimeoutToken(s_tick).UnsafeRegister(Block, null);
                break;
            case "CancellationTokenSource" or "CancelAfter" or "GetTimeoutToken":
                withTime.Token.UnsafeRegister(Block, null);
                withTime.CancelAfter(s_tick);
                break;
            default:
                _ = BlockAfter(wait == "Delay" && service is not null
                    ? service.Delay(s_tick)
                    : new(Task.Delay(s_tick, clock, CancellationToken.None)));
                break;
        }

        return await Wait.For(ended.Task, "the end of the code after the wait");
    }
}
