using Orleans.Concurrency;

namespace TransactionsDemo.OnOrleans;

/// <summary>Does not answer in time. Reentrant, since calls overlap.</summary>
[Reentrant]
internal sealed class SilentGrain : Grain, ISilentGrain
{
    private static readonly TimeSpan s_silence = TimeSpan.FromSeconds(2);

    public Task KeepSilentAsync() => Task.Delay(s_silence);
}
