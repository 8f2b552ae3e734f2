using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Serialization.Cloning;
using Orleans.Serialization.Configuration;
using Orleans.Serialization.Invocation;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers;
using ScalableTimers.Timers;

namespace Orleans.Timers.Scalable.Grains;

/// <summary>
/// The grain delays of a silo: what they share, and the ends of the activations that use them.
/// </summary>
/// <remarks>
/// The end of an activation is a component of it, made when a delay first needs it. So an activation without delays
/// has none, and all others are collected together with theirs.
/// </remarks>
internal sealed class ActivationDelays(
    TimerService timers,
    ITimerRegistry grainTimers,
    ILocalSiloDetails silo,
    ISiloStatusOracle others,
    IServiceProvider root,
    IOptions<GrainCollectionOptions> collection,
    IOptions<OrleansTimerOptions> options,
    ILoggerFactory loggers) : ILifecycleParticipant<ISiloLifecycle>, IDisposable
{
    /// <summary>How long most calls take, and those of callers that retry.</summary>
    private static readonly TimeSpan s_calls = TimeSpan.FromSeconds(2);

    private delegate IDisposable SubscribeToDeactivations(Action<IGrainContext, DeactivationReasonCode> begin);

    private readonly ConcurrentDictionary<IGrainContext, ActivationEnd> _new = new();
    private ActivationEnd[]? _over;
    private IDisposable? _events;
    private long _lastEndedWait;

    internal TimerService Timers => timers;

    internal ILogger Logger { get; } = PluginLog.Of<ActivationDelays>(loggers);

    /// <summary>Whether delays wait on .NET's timers, because the library is turned off.</summary>
    internal bool IsOff { get; } = !options.Value.Enabled;

    /// <summary>Adds grain delays to a silo.</summary>
    internal static void AddTo(IServiceCollection services)
    {
        services.AddSingleton<ActivationDelays>();
        services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>>(
            static services => services.GetRequiredService<ActivationDelays>());

        services.AddIfItFits(
            "Deactivations (grain delays do not end with them)",
            static services => services.AddSingleton<SubscribeToDeactivations>(
                static begin => DeactivationEvents.Subscribe(begin)),
            defaults: 0,
            static () => DeactivationEvents.Checked());

        // Not scoped: the first scoped service of an activation costs it a table.
        services.AddTransient<IGrainDelay, GrainDelay>();
        services.AddOptions<TypeManifestOptions>().PostConfigure<IOptions<OrleansTimerOptions>>(static (types, ours) =>
        {
            if (ours.Value.Enabled)
            {
                types.Copiers.Remove(typeof(ShallowCopier<ExceptionResponse>));
                types.Copiers.Add(typeof(EndedCallCopier));
            }
        });
        services.AddSingleton(new LostWhenOff(
            "a call whose grain's delay ends with the activation fails with a bare TaskCanceledException"));
    }

    /// <summary>Observes deactivations from the start, before any activation exists.</summary>
    public void Participate(ISiloLifecycle lifecycle)
    {
        _over = [Over(awaitsCalls: false), Over(awaitsCalls: true)];
        _events = root.GetService<SubscribeToDeactivations>()?.Invoke(Begin);

        // After the grains, and before the silo rejects all messages.
        lifecycle.Subscribe(
            nameof(ActivationDelays),
            ServiceLifecycleStage.ApplicationServices,
            static _ => Task.CompletedTask,
            AwaitCalls);
    }

    public void Dispose() => _events?.Dispose();

    /// <summary>Whether services come from the root of the silo's container, as a singleton's do.</summary>
    internal bool IsRoot(IServiceProvider services) => ReferenceEquals(services, root);

    /// <summary>Returns the end of an activation, whose token is cancelled when it begins to deactivate.</summary>
    internal ActivationEnd EndOf(IGrainContext context)
    {
        try
        {
            return context.GetComponent<ActivationEnd>() ?? NewEnd(context);
        }
        catch (ObjectDisposedException)
        {
            // The activation has ended, and its services with it.
            return _over![0];
        }
    }

    /// <summary>Called when a delay or a call ends because its activation does.</summary>
    internal void OnWaitEnded() => Volatile.Write(ref _lastEndedWait, TimeProvider.System.GetTimestamp());

    internal ActivationPin NewPin(IGrainContext context, ActivationEnd end) =>
        // Often enough, because Orleans rejects a collection age that is not longer than the quantum.
        new(grainTimers, context, end, collection.Value.CollectionQuantum / 2);

    private ActivationEnd NewEnd(IGrainContext context)
    {
        // Threads that are first together find the same end here, and later ones the component.
        var end = _new.GetOrAdd(context, static (context, silo) => new ActivationEnd(silo, context), this);
        try
        {
            if (context.GetComponent<ActivationEnd>() is { } others)
            {
                return others;
            }

            // If deactivation begins meanwhile, Begin finds either this component, or none and sets its own before:
            // setting and Begin hold the activation's lock.
            context.SetComponent(end);
            if (context.GetComponent<DelayScope>() is ActivationEnd over)
            {
                end.Begin(over.AwaitsCalls);
            }

            return end;
        }
        finally
        {
            _new.TryRemove(context, out _);
        }
    }

    /// <summary>Ends the delays of an activation. Called under the activation's lock, for any silo's.</summary>
    private void Begin(IGrainContext context, DeactivationReasonCode reason)
    {
        if (!silo.SiloAddress.Equals(context.Address.SiloAddress))
        {
            return;
        }

        // Orleans promises it for DeactivateOnIdle and MigrateOnIdle.
        var awaitsCalls =
            reason is DeactivationReasonCode.ApplicationRequested or DeactivationReasonCode.Migrating;
        if (context.GetComponent<ActivationEnd>() is { } end)
        {
            end.Begin(awaitsCalls);
            return;
        }

        // For delays requested from now on. The second is for EndOf, which may be about to replace the first.
        var over = _over![awaitsCalls ? 1 : 0];
        context.SetComponent(over);
        context.SetComponent<DelayScope>(over);
    }

    /// <summary>
    /// Holds the silo's stop for a while if it has ended waits, as the waits themselves would have. Until now the silo
    /// passes on what callers send again, and answers of other silos to clients whose gateway it is. Afterwards it
    /// rejects everything, but keeps its place in the cluster for a while, and a caller would use up its retries; and
    /// a client would wait for its answer until its call times out.
    /// </summary>
    private async Task AwaitCalls(CancellationToken cancellationToken)
    {
        var hold = s_calls - TimeProvider.System.GetElapsedTime(Volatile.Read(ref _lastEndedWait));
        if (hold > TimeSpan.Zero && others.GetApproximateSiloStatuses(onlyActive: true).Count > 0)
        {
            await Task.Delay(hold, TimeProvider.System, cancellationToken)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>The end that activations share which begin to deactivate before they have one of their own.</summary>
    private ActivationEnd Over(bool awaitsCalls)
    {
        var over = new ActivationEnd(this, context: null);
        over.Begin(awaitsCalls);
        return over;
    }
}
