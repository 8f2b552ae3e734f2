using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Budgets between two machines, one of which is ten minutes ahead in its time of day.</summary>
/// <remarks>Seen to fail when the header has the time of day of the end: budgets in one direction were spent.</remarks>
public sealed class DifferingClocksTests(DifferingClocksTests.Silos silos) : IClassFixture<DifferingClocksTests.Silos>
{
    private static readonly TimeSpan s_budget = TimeSpan.FromSeconds(30);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Call_ClocksDiffer_CalleeGetsTheRemainingTime(int from)
    {
        var (outer, inner) = await NewGrains(from);
        TimeSpan? inOuter = null, before = null, inInner = null;
        using (CallDeadline.Begin(s_budget))
        {
            await outer.Run(async self =>
            {
                inOuter = CallDeadline.Remaining;
                await inner.Seen(self).Run(_ =>
                {
                    inInner = CallDeadline.Remaining;
                    return Task.CompletedTask;
                });
                before = CallDeadline.Remaining;
            });
        }

        // Each header is rounded up to a millisecond. The outer grain has looked at its clock after the call.
        var rounding = TimeSpan.FromMilliseconds(1);
        Assert.InRange(inOuter!.Value, s_budget - HangGuard.Limit, s_budget + rounding);
        Assert.InRange(inInner!.Value, before!.Value, inOuter.Value + rounding);
    }

    private async Task<(IScriptedGrain Outer, IScriptedGrain Inner)> NewGrains(int from)
    {
        var inner = silos.Cluster.Silo(1 - from).NewGrain();
        await inner.Activate();
        return (await silos.Client.NewGrainIn(silos.Cluster.Silo(from)), inner);
    }

    /// <summary>Two silos with deadlines. The second is ahead of the first and of the client.</summary>
    public sealed class Silos() : ClusterFixture(silos: 2)
    {
        protected override void Configure(int number, ISiloBuilder silo)
        {
            if (number == 1)
            {
                silo.Services.AddSingleton<TimeProvider>(new ClockAhead());
                foreach (var key in VirtualTimeSilo.Vital)
                {
                    silo.Services.AddKeyedSingleton(key, TimeProvider.System);
                }
            }

            silo.AddCallCancellation();
        }

        protected override void Configure(IClientBuilder client) => client.AddCallCancellation();
    }

    /// <summary>Timers and timestamps are the system's.</summary>
    private sealed class ClockAhead : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + TimeSpan.FromMinutes(10);
    }
}
