using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

public sealed class DeadlineClockTests
{
    // While the system's time was used wherever no deadline was in force, a minute was left in all cases but the one
    // with an outer deadline.
    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task Begin_InASiloWithATestsClock_KeepsItsTime(bool isUnderADeadline, bool isSuppressed)
    {
        var clock = new ManualTimeProvider();
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 1);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo((_, silo) =>
        {
            silo.Services.AddSingleton<TimeProvider>(clock);
            silo.AddCallDeadlines();
        });
        builder.ConfigureClient(static client => client.AddCallDeadlines());
        await using var cluster = builder.Build();
        await cluster.DeployAsync();
        TimeSpan? before = null, after = null;
        using (isUnderADeadline ? GrainDeadline.Begin(DeadlineCalls.Long) : default)
        {
            await cluster.Client.GetGrain<IScriptedGrain>(Guid.NewGuid()).Run(_ =>
            {
                using var suppression = isSuppressed ? GrainDeadline.Suppress() : default;
                using var scope = GrainDeadline.Begin(TimeSpan.FromMinutes(1));
                before = GrainDeadline.Remaining;
                clock.Advance(TimeSpan.FromMinutes(2));
                after = GrainDeadline.Remaining;
                return Task.CompletedTask;
            });
        }

        Assert.Equal((TimeSpan.FromMinutes(1), TimeSpan.Zero), (before, after));
    }
}
