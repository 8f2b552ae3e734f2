using Orleans.Concurrency;
using Orleans.Placement;

namespace Orleans.Timers.Scalable.Compare;

[Reentrant]
[PreferLocalPlacement]
internal sealed class Callee(IServiceProvider services) : Grain, ICallee
{
    private static readonly Task s_never = new TaskCompletionSource().Task;

    public ValueTask<int> Answer(int value) => new(value);

    public ValueTask<int> AnswerUnlessCancelled(int value, CancellationToken cancellationToken) => new(value);

    public Task AnswerAfter(TimeSpan time) => Task.Delay(time);

    public async Task Delay(GrainWait wait, int atOnce, int times)
    {
        // A silo without the plugin has none.
        var delay = (IGrainDelay?)services.GetService(typeof(IGrainDelay));
        await Task.WhenAll(Enumerable.Range(0, atOnce).Select(async i =>
        {
            for (var done = 0; done < times; done++)
            {
                var dueTime = TimeSpan.FromMilliseconds(20 + ((i + (7 * done)) % 100));
                if (wait == GrainWait.Turn)
                {
                    await Task.Yield();
                    continue;
                }

                await (wait == GrainWait.GrainDelay ? delay!.Delay(dueTime) : new ValueTask(Task.Delay(dueTime)));
            }
        }));
    }

    public Task Hang() => s_never;

    public Task HangBriefly() => s_never;
}
