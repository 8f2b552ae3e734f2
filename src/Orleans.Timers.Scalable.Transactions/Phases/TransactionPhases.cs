using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Scalable.Registration;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>The bounds, the clock and the instrument for the transaction phases of one silo.</summary>
internal sealed class TransactionPhases(IServiceProvider services)
{
    // No other silo waits longer, nor a client with the default. One that does is told that the outcome is in doubt.
    private readonly TimeSpan _longestRequest = TimeSpan.FromSeconds(Math.Clamp(
        services.GetRequiredService<IOptions<SiloMessagingOptions>>().Value.ResponseTimeout.TotalSeconds, 30, 86_400));

    /// <summary>Registered if bounds are checked and enforced.</summary>
    internal sealed class BoundsAreWanted;

    /// <summary>The bounds. Unchecked ones are ignored.</summary>
    internal TransactionPhaseOptions Bounds { get; } = services.GetService<BoundsAreWanted>() is null
        ? new TransactionPhaseOptions()
        : services.GetRequiredService<IOptions<TransactionPhaseOptions>>().Value;

    internal TransactionPhaseMetrics Metrics { get; } =
        new(services.GetService<IMeterFactory>(), TimerServiceName.Host(services));

    /// <summary>The clock of the transactions subsystem: the timer service's, if it is added.</summary>
    internal TimeProvider Clock { get; } =
        services.GetKeyedService<TimeProvider>(TransactionTimeProviderNames.Transactions)
        ?? services.GetService<TimeProvider>()
        ?? TimeProvider.System;

    /// <summary>Ends a request of a transaction when its caller has given up. Its work goes on.</summary>
    /// <remarks>
    /// While an activation deactivates, Orleans delivers nothing to it until its requests end, not even the caller's
    /// cancellation. A commit may wait for just that: for the outcome of the transaction before it.
    /// </remarks>
    internal Task<T> Bound<T>(Task<T> request, CancellationToken cancellationToken = default)
    {
        request.Ignore();
        return request.WaitAsync(_longestRequest, Clock, cancellationToken);
    }

    internal Task Bound(Task request)
    {
        request.Ignore();
        return request.WaitAsync(_longestRequest, Clock);
    }
}

/// <summary>Counts how often the phases of transactions exceeded their bounds.</summary>
/// <param name="meters">Creates the meter.</param>
/// <param name="silo">The value of the tag <c>silo</c>.</param>
internal sealed class TransactionPhaseMetrics(IMeterFactory? meters, string silo)
{
    internal const string TimeoutsName = "scalable_timers.transaction.phase.timeouts";

    // The phases: a transaction older than its deadline, a wait for a state's lock, and for prepare and commit.
    internal const string Transaction = "transaction";
    internal const string LockAcquisition = "lock_acquisition";
    internal const string Resolve = "resolve";

    private readonly Counter<long> _timeouts = PluginMeter.Create(meters).CreateCounter<long>(
        TimeoutsName, "{timeout}", "Phases of transactions that took longer than their bound.");

    /// <param name="phase">The value of the tag <c>phase</c>.</param>
    internal void TimedOut(string phase) =>
        _timeouts.Add(1, KeyValuePair.Create("phase", (object?)phase), PluginMeter.Silo(silo));
}
