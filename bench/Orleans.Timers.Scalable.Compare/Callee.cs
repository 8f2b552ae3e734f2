using Orleans.Concurrency;
using Orleans.Placement;

namespace Orleans.Timers.Scalable.Compare;

[Reentrant]
[PreferLocalPlacement]
internal sealed class Callee : Grain, ICallee
{
    private static readonly Task s_never = new TaskCompletionSource().Task;

    public ValueTask<int> Answer(int value) => new(value);

    public ValueTask<int> AnswerUnlessCancelled(int value, CancellationToken cancellationToken) => new(value);

    public Task AnswerAfter(TimeSpan time) => Task.Delay(time);

    public Task Hang() => s_never;

    public Task HangBriefly() => s_never;
}
