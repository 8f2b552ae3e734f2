using ScalableTimers;
using ScalableTimers.Clock;
using ScalableTimers.Timers;

namespace Orleans.Timers.Scalable.Grains;

/// <summary>The delays of one activation, for one of the objects that it has been injected into.</summary>
internal sealed class GrainDelay : IGrainDelay
{
    private readonly ActivationDelays _silo;
    private readonly IGrainContext _context;
    private ActivationEnd? _end;

    /// <remarks>
    /// The context is not injected, because a scope disposes what it injects. If grain code created and disposed a
    /// scope, that would end the activation.
    /// </remarks>
    public GrainDelay(ActivationDelays silo, IGrainContextAccessor contexts, IServiceProvider services)
    {
        // Outside grains the accessor returns the silo's own client, which never deactivates.
        var context = contexts.GrainContext;
        if (context is null || context.GrainId.IsClient() || silo.IsRoot(services))
        {
            throw new InvalidOperationException(
                $"{nameof(IGrainDelay)} belongs to a grain's activation, but was requested outside of one, or by a "
                    + "singleton, which would use one activation's for all. Inject it into the grain, or into a scoped "
                    + $"or transient service of it. Use {nameof(TimerService)} outside of grains.");
        }

        (_silo, _context) = (silo, context);
    }

    public bool KeepAlive
    {
        get => End.KeepAlive;
        set => End.KeepAlive = value;
    }

    public CancellationToken DeactivationToken => End.Token;

    private ActivationEnd End => _end ??= _silo.EndOf(_context);

    public ValueTask Delay(TimeSpan dueTime, CancellationToken cancellationToken = default) => End.HasBegun
        ? Late(dueTime, cancellationToken)
        : Wait(dueTime, DelayOptions.None, End.Scope(), cancellationToken);

    public ValueTask<bool> TryDelay(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        _silo.IsOff || End.HasBegun
            ? TryWait(dueTime, cancellationToken)
            : _silo.Timers.TryDelay(dueTime, End.Scope(), cancellationToken);

    public ValueTask DelayIgnoringDeactivation(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        Wait(dueTime, DelayOptions.SurvivesStop, End.HasBegun ? null : End.Scope(), cancellationToken);

    /// <summary>
    /// Waits after the end. The delay takes its time before it fails, as after the service's stop: a loop that catches
    /// every exception must not become a hot one.
    /// </summary>
    private async ValueTask Late(TimeSpan dueTime, CancellationToken cancellationToken)
    {
        dueTime = DelayEntry.LimitAfterEnd(DueTime.Normalize(dueTime));
        cancellationToken = cancellationToken == End.Token ? default : cancellationToken;
        await DelayIgnoringDeactivation(dueTime, cancellationToken).ConfigureAwait(false);
        throw new TaskCanceledException(ActivationEnd.Reason(_context), innerException: null, End.Token);
    }

    /// <summary>For the rare cases: an exception costs more than the result false.</summary>
    private async ValueTask<bool> TryWait(TimeSpan dueTime, CancellationToken cancellationToken)
    {
        try
        {
            await Delay(dueTime, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }

    private ValueTask Wait(
        TimeSpan dueTime, DelayOptions options, DelayScope? scope, CancellationToken cancellationToken) => _silo.IsOff
        ? WaitOnNet(DueTime.RoundUpToMilliseconds(DueTime.Normalize(dueTime)), options, scope, cancellationToken)
        : _silo.Timers.Delay(dueTime, options, scope, cancellationToken);

    /// <summary>Waits on .NET's timers when the library is turned off.</summary>
    private async ValueTask WaitOnNet(
        TimeSpan dueTime, DelayOptions options, DelayScope? scope, CancellationToken cancellationToken)
    {
        var clock = _silo.Timers.Clock.Provider;
        var end = DelayScope.TokenOf(scope, options);
        scope?.OnBegun();
        try
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, end);
            for (; dueTime > DueTime.MaxTimer; dueTime -= DueTime.MaxTimer)
            {
                await Task.Delay(DueTime.MaxTimer, clock, either.Token).ConfigureAwait(false);
            }

            await Task.Delay(dueTime, clock, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            throw cancellationToken.IsCancellationRequested
                ? new TaskCanceledException(message: null, innerException: null, cancellationToken)
                : new TaskCanceledException(ActivationEnd.Reason(_context), innerException: null, end);
        }
        finally
        {
            scope?.OnEnded();
        }
    }
}
