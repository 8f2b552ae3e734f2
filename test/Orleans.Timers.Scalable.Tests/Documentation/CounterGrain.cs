namespace Orleans.Timers.Scalable.Tests.Documentation;

/// <summary>The recipe of the grains' page: changes are written every few seconds, and at the end.</summary>
public sealed class CounterGrain : Grain, ICounterGrain
{
    internal const string Storage = "counters";

    private readonly IGrainDelay _delay;
    private readonly IPersistentState<CounterState> _counter;
    private Task _writing = Task.CompletedTask;
    private bool _isDirty;

    public CounterGrain(IGrainDelay delay, [PersistentState("counter", Storage)] IPersistentState<CounterState> counter)
    {
        (_delay, _counter) = (delay, counter);
        _delay.KeepAlive = false;
    }

    public Task<int> Increment()
    {
        _isDirty = true;
        return Task.FromResult(++_counter.State.Value);
    }

    public override Task OnActivateAsync(CancellationToken cancellationToken)
    {
        _writing = WriteBehind();
        return Task.CompletedTask;
    }

    public override async Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken)
    {
        await _writing.WaitAsync(cancellationToken);
        await Write(cancellationToken);
    }

    private async Task WriteBehind()
    {
        while (await _delay.TryDelay(TimeSpan.FromSeconds(5)))
        {
            try
            {
                await Write(CancellationToken.None);
            }
            catch (Exception)
            {
                // The next round tries again. An application logs this.
            }
        }
    }

    private async Task Write(CancellationToken cancellationToken)
    {
        while (_isDirty)
        {
            _isDirty = false;
            try
            {
                await _counter.WriteStateAsync(cancellationToken);
            }
            catch
            {
                _isDirty = true;
                throw;
            }
        }
    }
}
