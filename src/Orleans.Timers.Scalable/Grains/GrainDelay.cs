using ScalableTimers;
using ScalableTimers.Collections;

namespace Orleans.Timers.Scalable;

/// <summary>The delays of one activation.</summary>
internal sealed class GrainDelay : IGrainDelay, IThreadPoolWorkItem, IDisposable
{
    private readonly TimerService _timers;
    private readonly ActivationDelays _activations;
    private readonly IGrainContext _context;
    private readonly CancellationTokenSource _ended = new();
    private int _isEnding;

    /// <remarks>
    /// The context is not injected: a scope that gives one away disposes it, and for a scope that grain code has created
    /// that would end the activation.
    /// </remarks>
    public GrainDelay(TimerService timers, ActivationDelays activations, IGrainContextAccessor contexts)
    {
        _timers = timers;
        _activations = activations;

        // Outside of grains the accessor answers with the silo's own client, which never deactivates.
        var context = contexts.GrainContext;
        if (context is null || context.GrainId.IsClient())
        {
            throw new InvalidOperationException($"{nameof(IGrainDelay)} belongs to a grain's activation and was asked for outside of one. Outside of grains use {nameof(TimerService)}.");
        }

        _context = context;
        activations.Add(_context, this);
    }

    public ValueTask Delay(TimeSpan dueTime, CancellationToken cancellationToken = default)
    {
        // Between the first sign of deactivation and the cancellation of the token there is a work item's time.
        if (Volatile.Read(ref _isEnding) != 0)
        {
            _ended.Cancel();
        }

        return _timers.Delay(dueTime, DelayOptions.None, cancellationToken, _ended.Token);
    }

    public ValueTask DelayIgnoringDeactivation(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        _timers.Delay(dueTime, DelayOptions.SurvivesStop, cancellationToken, scope: default);

    /// <summary>Ends the delays soon, on the pool: whoever calls may hold the activation's lock.</summary>
    internal void BeginEnding()
    {
        if (Interlocked.Exchange(ref _isEnding, 1) == 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    void IThreadPoolWorkItem.Execute() => _ended.Cancel();

    /// <summary>Called with the activation's scope. The source is not disposed: it holds nothing, and stray delays may still look at its token.</summary>
    public void Dispose()
    {
        _activations.Remove(_context, this);
        BeginEnding();
    }
}
