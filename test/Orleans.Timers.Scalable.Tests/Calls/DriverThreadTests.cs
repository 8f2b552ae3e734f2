using Microsoft.Extensions.DependencyInjection;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Silos that run callbacks on their driver's thread: code after a wait may block there too.</summary>
public sealed class DriverThreadTests(DriverThreadTests.Silos silos) : IClassFixture<DriverThreadTests.Silos>
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(50);

    // Seen to fail without RoundDriver's TakeCallbacks, all but the control. The code blocked the silo's driver, so the
    // second wait never ended.
    [Theory]
    [InlineData("Task.Delay")]
    [InlineData("IGrainDelay")]
    [InlineData("WithTimeout")]
    public async Task Wait_CodeAfterItBlocksUntilATimerFires_TheTimerFires(string wait)
    {
        var hangs = silos.Second.NewGrain();
        var hanging = new TaskCompletionSource();
        var isOver = false;
        await silos.First.NewGrain().Run(async self =>
        {
            var timers = self.Services.GetRequiredService<TimerService>();
            var clock = wait == "Task.Delay" ? TimeProvider.System : timers.TimeProvider;
            var waited = wait switch
            {
                "Task.Delay" => Task.Delay(s_tick),
                "IGrainDelay" => self.Delays.Delay(s_tick).AsTask(),
                _ => timers.WithTimeout(hangs.Run(_ => hanging.Task), s_tick),
            };
            try
            {
                // The code after it runs where the wait ends, not in a turn of the grain.
                await waited.ConfigureAwait(false);
            }
            catch (TimeoutException)
            {
            }

            isOver = Task.Delay(s_tick, clock).Wait(TimeSpan.FromSeconds(5));
        });
        hanging.SetResult();

        Assert.True(isOver, "The timer never fired.");
    }

    public sealed class Silos() : ClusterFixture(silos: 2)
    {
        protected override void Configure(int number, ISiloBuilder silo) =>
            silo.AddScalableTimers(static options => options.CallbackThread = CallbackThread.DriverThread);
    }
}
