using Microsoft.Extensions.Options;
using Orleans.Configuration;
using ScalableTimers;
using ScalableTimers.Timers;

namespace Orleans.Timers.Scalable;

/// <summary>The delays of one activation.</summary>
internal sealed class GrainDelay : IGrainDelay, IDisposable
{
    private readonly TimerService _timers;
    private readonly ActivationDelays _activations;
    private readonly IGrainContext _context;
    private readonly ActivationPin _pin;
    private readonly CancellationTokenSource _ended = new();
    private int _isEnding;

    /// <remarks>
    /// The context is not injected: a scope that gives one away disposes it, and for a scope that grain code has created
    /// that would end the activation.
    /// </remarks>
    public GrainDelay(
        TimerService timers,
        ActivationDelays activations,
        IGrainContextAccessor contexts,
        ITimerRegistry grainTimers,
        IOptions<GrainCollectionOptions> collection)
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

        // The age at which an activation is collected is always longer than the quantum: Orleans refuses others.
        _pin = new ActivationPin(grainTimers, context, collection.Value.CollectionQuantum / 2);
        activations.Add(_context, this);
    }

    public bool KeepAlive { get; set; } = true;

    public CancellationToken DeactivationToken => _ended.Token;

    public ValueTask Delay(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        _timers.Delay(dueTime, DelayOptions.None, cancellationToken, _ended.Token, PinIfKeptAlive());

    public ValueTask DelayIgnoringDeactivation(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        _timers.Delay(dueTime, DelayOptions.SurvivesStop, cancellationToken, scope: default, _ended.IsCancellationRequested ? null : PinIfKeptAlive());

    public IGrainPeriodicTimer CreatePeriodicTimer(TimeSpan period) =>
        new GrainPeriodicTimer(period, _timers.TimeProvider, PinIfKeptAlive(), _ended.Token);

    /// <summary>Ends the delays. Whoever calls may hold the activation's lock: callbacks of the token run on the pool.</summary>
    internal void BeginEnding()
    {
        if (Interlocked.Exchange(ref _isEnding, 1) != 0)
        {
            return;
        }

        // The token is cancelled when this returns, so that a delay begun from now on ends at once.
        if (ExecutionContext.IsFlowSuppressed())
        {
            Cancel();
            return;
        }

        using (ExecutionContext.SuppressFlow())
        {
            Cancel();
        }
    }

    /// <summary>Called with the activation's scope. The source is not disposed: it holds nothing, and stray delays may still look at its token.</summary>
    public void Dispose()
    {
        _activations.Remove(_context, this);
        BeginEnding();
    }

    private void Cancel() => _ended.CancelAsync().ContinueWith(
        static (callbacks, self) => ((GrainDelay)self!)._activations.ReportFailedCallbacks(callbacks.Exception!),
        this,
        CancellationToken.None,
        TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously,
        TaskScheduler.Default);

    private ActivationPin? PinIfKeptAlive() => KeepAlive ? _pin : null;
}
