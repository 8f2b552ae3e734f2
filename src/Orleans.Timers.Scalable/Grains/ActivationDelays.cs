using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Runtime.Diagnostics;
using Orleans.Serialization.Cloning;
using Orleans.Serialization.Configuration;
using Orleans.Serialization.Invocation;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Grains;

/// <summary>
/// Knows the activations of a silo that have delays, and ends the delays when an activation deactivates.
/// </summary>
/// <remarks>
/// Orleans tells a grain of its deactivation only when no call runs in it any more. Its diagnostic events come at once,
/// for all silos of the process and under the activation's lock. So the handler only makes a note, looks the activation
/// up and cancels a token whose callbacks run on the pool. An activation of another silo is not in the table.
/// </remarks>
internal sealed partial class ActivationDelays : IObserver<GrainLifecycleEvents.LifecycleEvent>, IDisposable
{
    // Each service scope that asked for delays has an entry: the activation's own scope and those that its code
    // creates.
    private readonly ConcurrentDictionary<IGrainContext, GrainDelay[]> _delays =
        new(ReferenceEqualityComparer.Instance);

    // Activations between the first sign of deactivation and its end. A scope may ask for delays only then.
    private readonly ConditionalWeakTable<IGrainContext, object> _deactivating = [];
    private readonly SiloAddress _silo;
    private readonly ILogger _logger;
    private readonly IDisposable _events;
    private volatile bool _isStopping;

    public ActivationDelays(TimerService timers, ILocalSiloDetails silo, ILogger<ActivationDelays> logger)
    {
        timers.Stopping = EndAll;
        _silo = silo.SiloAddress;
        _logger = logger;
        _events = GrainLifecycleEvents.AllEvents.Subscribe(this);
    }

    /// <summary>The number of activations that have delays.</summary>
    internal int Count => _delays.Count;

    /// <summary>Adds grain delays to a silo.</summary>
    internal static void AddTo(IServiceCollection services)
    {
        services.AddSingleton<ActivationDelays>();
        services.AddScoped<IGrainDelay, GrainDelay>();
        services.PostConfigure<TypeManifestOptions>(static types =>
        {
            types.Copiers.Remove(typeof(ShallowCopier<ExceptionResponse>));
            types.Copiers.Add(typeof(EndedCallCopier));
        });
    }

    public void Dispose() => _events.Dispose();

    public void OnNext(GrainLifecycleEvents.LifecycleEvent value)
    {
        switch (value)
        {
            case GrainLifecycleEvents.Deactivating:
                OnDeactivating(value.GrainContext);
                break;
            case GrainLifecycleEvents.Deactivated:
                OnDeactivated(value.GrainContext);
                break;
        }
    }

    public void OnCompleted()
    {
    }

    public void OnError(Exception error)
    {
    }

    internal void OnDeactivating(IGrainContext context)
    {
        if (!_silo.Equals(context.Address.SiloAddress))
        {
            return;
        }

        // Write the note before the look-up. Add does the reverse, so at least one of the two sees the other.
        _deactivating.TryAdd(context, this);
        foreach (var delay in _delays.GetValueOrDefault(context) ?? [])
        {
            delay.BeginEnding();
        }
    }

    /// <summary>
    /// Ends the delays of all activations, of later ones too: the service stops, and the silo after it. Otherwise code
    /// that waits until its activation deactivates would begin one delay after the other, and leave no thread for the
    /// deactivation.
    /// </summary>
    private void EndAll()
    {
        // Write first, then look. Add does the reverse.
        _isStopping = true;
        Interlocked.MemoryBarrier();
        foreach (var delay in _delays.Values.SelectMany(static delays => delays))
        {
            delay.BeginEnding();
        }
    }

    internal void OnDeactivated(IGrainContext context) => _deactivating.Remove(context);

    internal void Add(IGrainContext context, GrainDelay delay)
    {
        _delays.AddOrUpdate(
            context,
            static (_, delay) => [delay],
            static (_, delays, delay) => [.. delays, delay],
            delay);
        if (_isStopping || _deactivating.TryGetValue(context, out _))
        {
            delay.BeginEnding();
        }
    }

    internal void Remove(IGrainContext context, GrainDelay delay)
    {
        while (_delays.TryGetValue(context, out var delays))
        {
            GrainDelay[] rest = [.. delays.Where(other => !ReferenceEquals(other, delay))];
            if (rest.Length == 0
                ? _delays.TryRemove(KeyValuePair.Create(context, delays))
                : _delays.TryUpdate(context, rest, delays))
            {
                return;
            }
        }
    }

    /// <summary>Whether a token is the deactivation token of an activation.</summary>
    internal bool HasToken(IGrainContext context, CancellationToken token) =>
        Array.Exists(_delays.GetValueOrDefault(context) ?? [], delay => delay.DeactivationToken == token);

    internal void ReportFailedCallbacks(AggregateException exception) => LogCallbacksFailed(_logger, exception);

    [LoggerMessage(
        1, LogLevel.Error, "A callback that was registered with the deactivation token of a grain threw an exception.")]
    private static partial void LogCallbacksFailed(ILogger logger, Exception exception);
}
