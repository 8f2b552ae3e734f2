using Orleans.Concurrency;
using Orleans.Placement;

namespace Orleans.Timers.Scalable.Compare;

[Reentrant]
[PreferLocalPlacement]
internal sealed class Callee : Grain, ICallee
{
    private static readonly Task s_never = new TaskCompletionSource().Task;

    public Task<int> Answer() => Task.FromResult(1);

    public Task<int> AnswerCancellable(CancellationToken cancellationToken) => Task.FromResult(1);

    public Task Hang() => s_never;

    public Task HangBriefly() => s_never;
}
