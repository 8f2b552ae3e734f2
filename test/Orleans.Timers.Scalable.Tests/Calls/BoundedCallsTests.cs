using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Messaging;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Calls of grains in two silos, bounded by <see cref="CallTimeoutExtensions"/>.</summary>
[Collection(typeof(CallSilos))]
public sealed class BoundedCallsTests(CallSilos silos)
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(100);

    private readonly Guid _gate = Guid.NewGuid();

    private Gate Gate => Gate.Of(_gate);

    private TimerService Timers => silos.ClientTimers;

    [Fact]
    public async Task WithTimeout_InAGrain_BoundsItsCallsAndResumesOnItsScheduler()
    {
        await silos.First.NewGrain().Run(async self =>
        {
            var scheduler = TaskScheduler.Current;
            var timers = self.Services.GetRequiredService<TimerService>();

            await Assert.ThrowsAsync<TimeoutException>(
                async () => await timers.WithTimeout(silos.NewGrain().Wait(_gate), s_timeout));

            Assert.Same(scheduler, TaskScheduler.Current);
            Assert.NotSame(TaskScheduler.Default, scheduler);
        });
        Gate.Open(1);
    }

    // Seen to fail when the calls do not get the lambda's token: Orleans keeps them.
    [Fact]
    public async Task WithTimeout_MethodTakesAToken_EveryAbandonedCallIsCancelledAndNoneIsLeft()
    {
        const int Calls = 500;
        var none = OutstandingCalls.NoneQuestion(
            silos.Client.ServiceProvider.MessagingClock().Maker, silos.Client.ServiceProvider)!;
        var grains = Enumerable.Range(0, 20).Select(_ => silos.NewGrain()).ToArray();
        await Task.WhenAll(grains.Select(static grain => grain.Answer())).Guarded("the grains are active");
        using var users = new CancellationTokenSource();

        // A callee never sees a call that was abandoned before it arrived. On a busy machine calls take longer to
        // arrive.
        var (gate, allHadCome) = (Guid.Empty, false);
        for (var timeout = TimeSpan.FromSeconds(0.5); !allHadCome && timeout < HangGuard.Limit; timeout *= 2)
        {
            gate = Guid.NewGuid();
            Gate.Of(gate).Expected = Calls;
            await Eventually.True(none, "calls of before are answered");
            var calls = Enumerable.Range(0, Calls).Select(i => Timers.WithTimeout(
                    token => grains[i % grains.Length].WaitCancellable(gate, token), timeout, users.Token))
                .ToList();
            await Task.WhenAny([Gate.Of(gate).Reached, .. calls]);
            allHadCome = Gate.Of(gate).Reached.IsCompleted;
            foreach (var call in calls)
            {
                await Assert.ThrowsAsync<TimeoutException>(() => call.Guarded("the call times out"));
            }

            // The calls end at once, because they are never answered.
            await Eventually.True(none, "Orleans forgets them");
        }

        Assert.True(allHadCome, "The calls did not come.");
        await Gate.Of(gate).AllCancelled.Guarded("every callee sees its token cancelled");
        Assert.Equal(Calls, Gate.Of(gate).Cancellations);
    }
}
