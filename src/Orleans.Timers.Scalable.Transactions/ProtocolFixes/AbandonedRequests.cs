using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Scalable.Clocks;
using Orleans.Timers.Scalable.Grains;

namespace Orleans.Timers.Scalable.Transactions.ProtocolFixes;

/// <summary>
/// Ends the requests of transactions whose callers have given up, and those that keep an activation from deactivating.
/// Their work goes on.
/// </summary>
/// <remarks>
/// While an activation deactivates, Orleans delivers nothing to it until its requests end, not even the caller's
/// cancellation. A commit may wait for just that: for the outcome of the transaction before it.
/// </remarks>
internal sealed class AbandonedRequests(IServiceProvider services)
{
    /// <summary>How long a request may take after its activation has begun to deactivate.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1);

    // No other silo waits longer, nor a client with the default. One that does is told that the outcome is in doubt.
    private readonly TimeSpan _longest = TimeSpan.FromSeconds(Math.Clamp(
        services.GetRequiredService<IOptions<SiloMessagingOptions>>().Value.ResponseTimeout.TotalSeconds, 30, 86_400));

    private readonly ActivationDelays? _activations = services.GetService<ActivationDelays>();
    private readonly IGrainContextAccessor? _contexts = services.GetService<IGrainContextAccessor>();

    internal TimeProvider Clock { get; } = ClockOf(services);

    /// <summary>The activation whose request is running; null in tests without any.</summary>
    internal IGrainContext? Activation => _contexts?.GrainContext;

    /// <summary>The same, if it deactivates: it gets no message before the request ends.</summary>
    internal IGrainContext? DeactivatingActivation =>
        Activation is { } activation && Deactivation(activation).IsCancellationRequested ? activation : null;

    /// <summary>The clock of the transactions subsystem: the timer service's, if it is added.</summary>
    internal static TimeProvider ClockOf(IServiceProvider services) =>
        services.GetKeyedService<TimeProvider>(KeyedClocks.Transactions)
        ?? services.GetService<TimeProvider>()
        ?? TimeProvider.System;

    /// <param name="request">The request, which has begun.</param>
    /// <param name="abort">
    /// Called on the activation's scheduler, perhaps more than once, while it deactivates: ends what the request waits
    /// for, so that its caller learns the outcome. Null if the caller may be told of a timeout.
    /// </param>
    /// <param name="cancellationToken">The caller's.</param>
    internal async Task<T> End<T>(Task<T> request, Action? abort, CancellationToken cancellationToken)
    {
        await End((Task)request, abort, cancellationToken);
        return await request;
    }

    internal async Task End(Task request, Action? abort = null, CancellationToken cancellationToken = default)
    {
        request.Ignore();
        if (!request.IsCompleted)
        {
            var begun = Clock.GetTimestamp();
            var deactivates = await Wait(request, _longest, Activation, cancellationToken);
            while (deactivates
                && abort is not null
                && !request.IsCompleted
                && !cancellationToken.IsCancellationRequested
                && Clock.GetElapsedTime(begun) < _longest)
            {
                abort();
                await Wait(request, s_patience / 10, cancellationToken);
            }
        }

        // Throws unless the request has ended.
        await request.WaitAsync(TimeSpan.Zero, Clock, cancellationToken);
    }

    /// <summary>
    /// Waits, without throwing, for a request or a time, and no longer than a second after the activation has begun to
    /// deactivate. Returns whether it has.
    /// </summary>
    internal async Task<bool> Wait(
        Task request, TimeSpan time, IGrainContext? activation, CancellationToken cancellationToken = default)
    {
        var deactivation = Deactivation(activation);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, deactivation);
        if (await Wait(request, time, either.Token) && deactivation.IsCancellationRequested)
        {
            await Wait(request, s_patience, cancellationToken);
        }

        return deactivation.IsCancellationRequested;
    }

    /// <summary>Waits without throwing. Returns whether the token has ended the wait.</summary>
    private async Task<bool> Wait(Task request, TimeSpan time, CancellationToken cancellationToken)
    {
        var wait = request.WaitAsync(time, Clock, cancellationToken);
        await wait.ConfigureAwait(
            ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
        return !request.IsCompleted && wait.IsCanceled;
    }

    /// <summary>A token that is cancelled when the activation begins to deactivate.</summary>
    private CancellationToken Deactivation(IGrainContext? activation) =>
        activation is null || activation.GrainId.IsClient() || activation.GrainId.IsSystemTarget()
            ? default
            : _activations?.EndOf(activation).Token ?? default;
}
