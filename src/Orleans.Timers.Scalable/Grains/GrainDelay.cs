using Microsoft.Extensions.Options;
using Orleans.Configuration;
using ScalableTimers;
using ScalableTimers.Clock;
using ScalableTimers.Timers;

namespace Orleans.Timers.Scalable.Grains;

/// <summary>The delays of one activation, for one of its service scopes.</summary>
internal sealed class GrainDelay : IGrainDelay
{
    private readonly TimerService _timers;
    private readonly CancellationToken _ended;
    private readonly ActivationPin _pin;
    private readonly GrainDelayObserver _unpinned;
    private readonly bool _isOff;

    /// <remarks>
    /// The context is not injected, because a scope disposes what it injects. If grain code created and disposed a
    /// scope, that would end the activation.
    /// </remarks>
    public GrainDelay(
        TimerService timers,
        ActivationDelays activations,
        IGrainContextAccessor contexts,
        ITimerRegistry grainTimers,
        IOptions<GrainCollectionOptions> collection,
        IOptions<OrleansTimerOptions> options)
    {
        _timers = timers;
        _isOff = !options.Value.Enabled;

        // Outside grains the accessor returns the silo's own client, which never deactivates.
        var context = contexts.GrainContext;
        if (context is null || context.GrainId.IsClient())
        {
            throw new InvalidOperationException(
                $"{nameof(IGrainDelay)} belongs to a grain's activation, but was requested outside of one. Use "
                    + $"{nameof(TimerService)} outside of grains.");
        }

        _ended = activations.EndOf(context).Token;
        _unpinned = new GrainDelayObserver(context);

        // Often enough, because Orleans rejects a collection age that is not longer than the quantum.
        _pin = new ActivationPin(grainTimers, context, collection.Value.CollectionQuantum / 2);
    }

    public bool KeepAlive { get; set; } = true;

    public CancellationToken DeactivationToken => _ended;

    public ValueTask Delay(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        _ended.IsCancellationRequested && !cancellationToken.IsCancellationRequested
            ? Deactivated()
            : Wait(dueTime, DelayOptions.None, Observer(), _ended, cancellationToken);

    public ValueTask DelayIgnoringDeactivation(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        Wait(
            dueTime,
            DelayOptions.SurvivesStop,
            _ended.IsCancellationRequested ? null : Observer(),
            scope: default,
            cancellationToken);

    public IGrainPeriodicTimer CreatePeriodicTimer(TimeSpan period) =>
        new GrainPeriodicTimer(
            period, _isOff ? _timers.Clock.Provider : _timers.TimeProvider, KeepAlive ? _pin : null, _ended);

    private ValueTask Wait(
        TimeSpan dueTime,
        DelayOptions options,
        GrainDelayObserver? observer,
        CancellationToken scope,
        CancellationToken cancellationToken) =>
        _isOff
            ? WaitOnNet(DueTime.RoundUpToMilliseconds(DueTime.Normalize(dueTime)), observer, scope, cancellationToken)
            : _timers.Delay(dueTime, options, cancellationToken, scope, observer);

    /// <summary>Waits on .NET's timers when the library is turned off.</summary>
    private async ValueTask WaitOnNet(
        TimeSpan dueTime, GrainDelayObserver? observer, CancellationToken scope, CancellationToken cancellationToken)
    {
        observer?.OnBegun();
        try
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, scope);
            for (; dueTime > DueTime.MaxTimer; dueTime -= DueTime.MaxTimer)
            {
                await Task.Delay(DueTime.MaxTimer, _timers.Clock.Provider, either.Token).ConfigureAwait(false);
            }

            await Task.Delay(dueTime, _timers.Clock.Provider, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            throw cancellationToken.IsCancellationRequested
                ? new TaskCanceledException(message: null, innerException: null, cancellationToken)
                : new TaskCanceledException(_unpinned.Deactivates(), innerException: null, scope);
        }
        finally
        {
            observer?.OnEnded();
        }
    }

    private GrainDelayObserver Observer() => KeepAlive ? _pin : _unpinned;

    private async ValueTask Deactivated()
    {
        // The method builder turns the exception into a cancelled task, as for a delay that had begun.
        await default(ValueTask);
        throw new TaskCanceledException(_unpinned.Deactivates(), innerException: null, _ended);
    }
}
