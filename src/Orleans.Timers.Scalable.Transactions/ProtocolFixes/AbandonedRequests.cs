using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Scalable.Clocks;

namespace Orleans.Timers.Scalable.Transactions.ProtocolFixes;

/// <summary>Ends the requests of transactions when their callers have given up. Their work goes on.</summary>
/// <remarks>
/// While an activation deactivates, Orleans delivers nothing to it until its requests end, not even the caller's
/// cancellation. A commit may wait for just that: for the outcome of the transaction before it.
/// </remarks>
internal sealed class AbandonedRequests(IServiceProvider services)
{
    // No other silo waits longer, nor a client with the default. One that does is told that the outcome is in doubt.
    private readonly TimeSpan _longest = TimeSpan.FromSeconds(Math.Clamp(
        services.GetRequiredService<IOptions<SiloMessagingOptions>>().Value.ResponseTimeout.TotalSeconds, 30, 86_400));

    internal TimeProvider Clock { get; } = ClockOf(services);

    /// <summary>The clock of the transactions subsystem: the timer service's, if it is added.</summary>
    internal static TimeProvider ClockOf(IServiceProvider services) =>
        services.GetKeyedService<TimeProvider>(KeyedClocks.Transactions)
        ?? services.GetService<TimeProvider>()
        ?? TimeProvider.System;

    internal Task<T> End<T>(Task<T> request, CancellationToken cancellationToken = default)
    {
        request.Ignore();
        return request.WaitAsync(_longest, Clock, cancellationToken);
    }

    internal Task End(Task request)
    {
        request.Ignore();
        return request.WaitAsync(_longest, Clock);
    }
}
