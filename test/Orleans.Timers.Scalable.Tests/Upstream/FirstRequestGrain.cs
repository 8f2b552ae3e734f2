using Orleans.Concurrency;

namespace Orleans.Timers.Scalable.Tests.Upstream;

/// <summary>Looks whether its activation is locked while it runs.</summary>
[Reentrant]
internal sealed class FirstRequestGrain : Grain, IFirstRequestGrain
{
    public Task<bool> CanBeReached()
    {
        // Sending to an activation of the same silo takes the activation's lock. The answer does not matter.
        var self = GrainFactory.GetGrain<IFirstRequestGrain>(this.GetPrimaryKey());
        var sender = new Thread(() => self.Ping().Ignore()) { IsBackground = true };
        sender.UnsafeStart();
        return Task.FromResult(sender.Join(TimeSpan.FromSeconds(1)));
    }

    public Task Ping() => Task.CompletedTask;
}
