using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable.Registration;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>The bounds, the clock and the instrument for the transaction phases of one silo.</summary>
internal sealed class TransactionPhases(IServiceProvider services)
{
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
}
