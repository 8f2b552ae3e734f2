using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Orleans.Runtime.Diagnostics;

namespace Orleans.Timers.Scalable;

/// <summary>The activations of a silo that have delays, and the news of their deactivation.</summary>
/// <remarks>
/// Orleans tells a grain of its deactivation only when no call runs in it any more. Its diagnostic events tell at once, for all
/// silos of the process and under the activation's lock: so what is done there is one look-up and one work item. An activation of
/// another silo is not in the table.
/// </remarks>
internal sealed partial class ActivationDelays : IObserver<GrainLifecycleEvents.LifecycleEvent>, IDisposable
{
    private readonly ConcurrentDictionary<IGrainContext, GrainDelay> _delays = new(ReferenceEqualityComparer.Instance);
    private readonly IDisposable? _events;

    public ActivationDelays(ILogger<ActivationDelays> logger)
    {
        try
        {
            _events = Subscribe(this);
        }
        catch (Exception exception) when (exception is TypeLoadException or MissingMemberException)
        {
            // The events may change between versions of Orleans, says their documentation.
            LogEventsMissing(logger, exception);
        }
    }

    internal int Count => _delays.Count;

    public void OnNext(GrainLifecycleEvents.LifecycleEvent value)
    {
        if (value is GrainLifecycleEvents.Deactivating && _delays.TryGetValue(value.GrainContext, out var delay))
        {
            delay.BeginEnding();
        }
    }

    public void OnCompleted()
    {
    }

    public void OnError(Exception error)
    {
    }

    public void Dispose() => _events?.Dispose();

    internal void Add(IGrainContext context, GrainDelay delay)
    {
        _delays[context] = delay;
        if (_events is null)
        {
            context.ObservableLifecycle.Subscribe(
                nameof(GrainDelay),
                GrainLifecycleStage.Last,
                static _ => Task.CompletedTask,
                _ =>
                {
                    delay.BeginEnding();
                    return Task.CompletedTask;
                });
        }
    }

    internal void Remove(IGrainContext context) => _delays.TryRemove(context, out _);

    // Not inlined, so that a missing type is an exception here and not in the caller.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static IDisposable Subscribe(ActivationDelays observer) => GrainLifecycleEvents.AllEvents.Subscribe(observer);

    [LoggerMessage(1, LogLevel.Warning, "This version of Orleans has no grain lifecycle events. Grain delays end only when deactivation has waited for running calls.")]
    private static partial void LogEventsMissing(ILogger logger, Exception exception);
}
