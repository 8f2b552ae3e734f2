using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Concurrency;
using Orleans.Timers.Scalable;

namespace TransactionsDemo.Bank;

/// <summary>Waits with IGrainDelay if the silo has it, and otherwise with Task.Delay. Its calls overlap.</summary>
[Reentrant]
internal sealed class WaitingGrain(IServiceProvider services) : Grain, IWaitingGrain
{
    private readonly IGrainDelay? _delay = services.GetService<IGrainDelay>();

    public async Task<TimeSpan> Measure(TimeSpan dueTime)
    {
        var startedAt = Stopwatch.GetTimestamp();
        await Wait(dueTime);
        return Stopwatch.GetElapsedTime(startedAt);
    }

    public Task AnswerTooLate() => Wait(5 * IWaitingGrain.ResponseTimeout);

#pragma warning disable STM001 // Orleans alone has no IGrainDelay.
    private Task Wait(TimeSpan dueTime) => _delay?.Delay(dueTime).AsTask() ?? Task.Delay(dueTime);
#pragma warning restore STM001
}
