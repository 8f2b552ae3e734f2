using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Scalable.Registration;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>
/// The state that bounding and measuring phases share: the bounds, the clock and the instruments of one silo.
/// </summary>
internal sealed class TransactionPhases(IServiceProvider services)
{
    /// <summary>Registered by <c>MeasureTransactionPhases</c>.</summary>
    internal sealed class MeasuringIsWanted;

    /// <summary>Registered where bounds are checked and enforced.</summary>
    internal sealed class BoundsAreWanted;

    /// <summary>The bounds. Those that nothing has checked do not count.</summary>
    internal TransactionPhaseOptions Bounds { get; } = services.GetService<BoundsAreWanted>() is null
        ? new TransactionPhaseOptions()
        : services.GetRequiredService<IOptions<TransactionPhaseOptions>>().Value;

    internal TimeSpan LockHold { get; } =
        services.GetRequiredService<IOptions<TransactionalStateOptions>>().Value.LockTimeout;

    internal TransactionPhaseMetrics Metrics { get; } =
        new(services.GetService<IMeterFactory>(), TimerServiceName.Host(services));

    internal bool IsMeasuring { get; } = services.GetService<MeasuringIsWanted>() is not null;

    /// <summary>The clock of the transactions subsystem: the timer service's where that is added.</summary>
    internal TimeProvider Clock { get; } =
        services.GetKeyedService<TimeProvider>(TransactionTimeProviderNames.Transactions)
        ?? services.GetService<TimeProvider>()
        ?? TimeProvider.System;

    internal void Measure(TransactionPhase phase, long begun)
    {
        if (IsMeasuring)
        {
            Metrics.Took(phase, Clock.GetElapsedTime(begun));
        }
    }
}
