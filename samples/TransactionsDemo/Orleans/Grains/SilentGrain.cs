using Orleans.Concurrency;

namespace TransactionsDemo.OnOrleans;

/// <summary>Does not answer in time. Reentrant, since calls overlap.</summary>
[Reentrant]
internal sealed class SilentGrain : Grain, ISilentGrain
{
    private static readonly TimeSpan s_silence = TimeSpan.FromSeconds(2);

#pragma warning disable STM001 // The silo may be Orleans alone, which has no IGrainDelay.
    public Task KeepSilentAsync() => Task.Delay(s_silence);
#pragma warning restore STM001
}
