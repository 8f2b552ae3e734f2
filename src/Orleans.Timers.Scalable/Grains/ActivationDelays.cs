using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable;

/// <summary>
/// Knows the activations of a silo that have delays, and ends the delays when an activation deactivates.
/// </summary>
/// <remarks>
/// Orleans tells a grain of its deactivation only when no call runs in it any more. Its diagnostic events come at once,
/// for all silos of the process and under the activation's lock. So the handler only makes a note, looks the activation
/// up and cancels a token whose callbacks run on the pool. An activation of another silo is not in the table. Where
/// this version of Orleans has no such events, delays end when Orleans tells the grain.
/// </remarks>
internal sealed partial class ActivationDelays : IDisposable
{
    // Each service scope that asked for delays has an entry: the activation's own scope and those that its code
    // creates.
    private readonly ConcurrentDictionary<IGrainContext, GrainDelay[]> _delays =
        new(ReferenceEqualityComparer.Instance);

    // Activations between the first sign of deactivation and its end. A scope may ask for delays only then.
    private readonly ConditionalWeakTable<IGrainContext, object> _deactivating = [];
    private readonly SiloAddress _silo;
    private readonly ILogger _logger;
    private readonly IDisposable? _events;

    public ActivationDelays(ILocalSiloDetails silo, ILogger<ActivationDelays> logger)
    {
        _silo = silo.SiloAddress;
        _logger = logger;
        try
        {
            _events = Subscribe(this);
        }
        catch (Exception exception) when (exception is TypeLoadException or MissingMemberException)
        {
            // Orleans 10.0 has no such events, and their documentation says that they may change between versions.
            LogEventsMissing(logger, exception);
        }
    }

    /// <summary>The number of activations that have delays.</summary>
    internal int Count => _delays.Count;

    public void Dispose() => _events?.Dispose();

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

    internal void OnDeactivated(IGrainContext context) => _deactivating.Remove(context);

    internal void Add(IGrainContext context, GrainDelay delay)
    {
        _delays.AddOrUpdate(
            context,
            static (_, delay) => [delay],
            static (_, delays, delay) => [.. delays, delay],
            delay);
        if (_deactivating.TryGetValue(context, out _))
        {
            delay.BeginEnding();
        }

        if (_events is null)
        {
            EndWithLifecycle(context, delay);
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

    internal void ReportFailedCallbacks(AggregateException exception) => LogCallbacksFailed(_logger, exception);

    // Not inlined, so that a missing type throws here and not in the caller.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static IDisposable Subscribe(ActivationDelays delays) => DeactivationEvents.Subscribe(delays);

    private static void EndWithLifecycle(IGrainContext context, GrainDelay delay)
    {
        try
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
        catch (InvalidOperationException)
        {
            // The lifecycle has begun and accepts nobody any more: the grain has asked for delays after its activation.
            _ = context.Deactivated.ContinueWith(
                static (_, delay) => ((GrainDelay)delay!).BeginEnding(),
                delay,
                CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default);
        }
    }

    [LoggerMessage(
        1,
        LogLevel.Warning,
        "This version of Orleans has no grain lifecycle events. When a grain deactivates, its delays end only after "
            + "its running calls have ended.")]
    private static partial void LogEventsMissing(ILogger logger, Exception exception);

    [LoggerMessage(
        2, LogLevel.Error, "A callback that was registered with the deactivation token of a grain threw an exception.")]
    private static partial void LogCallbacksFailed(ILogger logger, Exception exception);
}
