using ScalableTimers.StressTests.Driving;

namespace ScalableTimers.StressTests.Timers;

/// <summary>
/// Delays that are cancelled and begun again in place, without the lock, while the driver expires that place.
/// </summary>
[Trait("Category", "Stress")]
public class DelayLeftLinkedTests
{
    private const string Phase = "left linked";
    private const int AtOnce = 100;

    /// <remarks>
    /// The owner begins and cancels delays all the time. A new delay is linked at the place of an earlier life, so the
    /// driver finds it there each millisecond, ended or begun again. Another thread reads half of the cancelled delays,
    /// so entries change hands too.
    /// </remarks>
    [Theory]
    [InlineData(DriverChoice.Thread)]
    [InlineData(DriverChoice.Timer)]
    [InlineData(DriverChoice.FiringThread)]
    public async Task TryDelay_BegunAgainWhileItsPlaceExpires_EndsInTime(DriverChoice driver)
    {
        await using var service = Stress.NewService(driver);
        var lastRoundAt = Stress.LastRoundAt(0.7, 30);
        var isOver = false;
        var given = new ValueTask<bool>[AtOnce];
        var giving = 0;
        var (rounds, waits) = (0L, 0L);
        StressThreads.Run(Phase, 2, thread =>
        {
            if (thread == 0)
            {
                var random = Stress.NewRandom((int)driver);
                while (!StressTime.IsOver(lastRoundAt))
                {
                    rounds++;
                    CancelAtOnce(service, random);
                    Give(service, given, ref giving, random);
                    if (rounds % 4 == 0)
                    {
                        waits++;
                        WaitForEnd(service, random);
                    }
                }

                Volatile.Write(ref isOver, true);
                return;
            }

            while (!Volatile.Read(ref isOver))
            {
                Read(given, ref giving);
            }
        });

        await service.DisposeAsync();
        var counted = service.GetSnapshot();
        Stress.Log($"{Phase}, driver {driver}: {counted.Scheduled:N0} delays, {waits:N0} waited for");
        Assert.Equal((0, 0), (counted.Pending, counted.Failed));
        Assert.Equal(counted.Scheduled, counted.Fired + counted.Cancelled);
    }

    private static void CancelAtOnce(TimerService service, Random random)
    {
        for (var i = 0; i < 2_000; i++)
        {
            using var source = new CancellationTokenSource();
            var delay = service.TryDelay(StressTime.Milliseconds(1 + random.Next(3)), source.Token);
            source.Cancel();

            if (!delay.IsCompleted)
            {
                // The delay has elapsed first, and waits for the pool.
                Stress.WaitUntil(
                    Phase, () => delay.IsCompleted, () => $"cancelled, and it has not ended: {service.GetSnapshot()}");
            }

            _ = delay.GetAwaiter().GetResult();
        }
    }

    /// <summary>
    /// Hands cancelled delays to the other thread, which reads each one while it is being cancelled.
    /// </summary>
    private static void Give(TimerService service, ValueTask<bool>[] given, ref int giving, Random random)
    {
        if (Volatile.Read(ref giving) != 0)
        {
            return;
        }

        for (var i = 0; i < given.Length; i++)
        {
            using var source = new CancellationTokenSource();
            given[i] = service.TryDelay(TimeSpan.FromMinutes(10), source.Token);
            Volatile.Write(ref giving, i + 1);
            Linger.Steps(random.Next(50));
            source.Cancel();
        }
    }

    private static void Read(ValueTask<bool>[] given, ref int giving)
    {
        for (var i = 0; i < given.Length; i++)
        {
            var giveUpAt = StressTime.In(Stress.Guard);
            while (Volatile.Read(ref giving) <= i || !given[i].IsCompleted)
            {
                if (i == 0 && Volatile.Read(ref giving) == 0)
                {
                    return;
                }

                if (StressTime.IsOver(giveUpAt))
                {
                    Stress.Fail(Phase, $"delay {i} of those given away has not ended.");
                }
            }

            Assert.False(given[i].GetAwaiter().GetResult());
        }

        Volatile.Write(ref giving, 0);
    }

    private static void WaitForEnd(TimerService service, Random random)
    {
        using var source = new CancellationTokenSource();
        var notBefore = StressTime.In(StressTime.Milliseconds(1));
        var delay = service.TryDelay(StressTime.Milliseconds(1 + random.Next(2)), source.Token);
        Stress.WaitUntil(
            Phase,
            () => delay.IsCompleted,
            () => $"a delay that nobody cancels has not ended: {service.GetSnapshot()}");
        Assert.True(delay.GetAwaiter().GetResult());
        Assert.True(StressTime.IsOver(notBefore), "It ended early.");
    }
}
