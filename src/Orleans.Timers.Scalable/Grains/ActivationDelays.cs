using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Runtime.Diagnostics;
using Orleans.Serialization.Cloning;
using Orleans.Serialization.Configuration;
using Orleans.Serialization.Invocation;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Grains;

/// <summary>
/// Tracks the activations of a silo that have delays, and ends the delays when an activation deactivates.
/// </summary>
/// <remarks>
/// Orleans notifies a grain of its deactivation only when no call runs in it any more. Its diagnostic events come at
/// once, but for all silos of the process and under the activation's lock. So the handler only looks up or adds the
/// activation's entry and cancels a token whose callbacks run on the pool. Activations of other silos do no harm.
/// </remarks>
internal sealed class ActivationDelays : IObserver<GrainLifecycleEvents.LifecycleEvent>, IDisposable
{
    // Holds the activations that have asked for delays or begun to deactivate. Whichever comes first adds the entry, so
    // delays requested after the first sign of deactivation end at once.
    private readonly ConditionalWeakTable<IGrainContext, ActivationEnd> _ends = [];
    private readonly ILogger _logger;
    private readonly IDisposable _events;
    private volatile bool _isStopping;

    public ActivationDelays(TimerService timers, ILoggerFactory loggers)
    {
        timers.Stopping = EndAll;
        _logger = PluginLog.Of<ActivationDelays>(loggers);
        _events = GrainLifecycleEvents.AllEvents.Subscribe(this);
    }

    /// <summary>Adds grain delays to a silo.</summary>
    internal static void AddTo(IServiceCollection services)
    {
        services.AddSingleton<ActivationDelays>();
        services.AddScoped<IGrainDelay, GrainDelay>();
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

    public void Dispose() => _events.Dispose();

    public void OnNext(GrainLifecycleEvents.LifecycleEvent value)
    {
        if (value is GrainLifecycleEvents.Deactivating { Reason.ReasonCode: var reason })
        {
            EndOf(value.GrainContext).Begin(reason == DeactivationReasonCode.ApplicationRequested);
        }
    }

    public void OnCompleted()
    {
    }

    public void OnError(Exception error)
    {
    }

    /// <summary>
    /// Ends the delays of all activations, even later ones, when the service stops, before the silo does. Otherwise
    /// code that waits until its activation deactivates would begin one delay after another, and leave no thread for
    /// the deactivation.
    /// </summary>
    private void EndAll()
    {
        // Set the flag, then read the table. EndOf does the reverse, and the table's lock orders both.
        _isStopping = true;
        foreach (var (_, end) in _ends)
        {
            end.Begin();
        }
    }

    internal ActivationEnd EndOf(IGrainContext context)
    {
        var end = _ends.GetValue(context, _ => new ActivationEnd(_logger));
        if (_isStopping)
        {
            end.Begin();
        }

        return end;
    }

    /// <summary>Whether a token is the deactivation token of an activation.</summary>
    internal bool HasToken(IGrainContext context, CancellationToken token) =>
        _ends.TryGetValue(context, out var end) && end.Token == token;
}
