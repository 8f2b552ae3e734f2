using Orleans.Timers.Scalable;

namespace Orleans.Hosting;

/// <summary>Bounds and measures the phases of transactions in a silo.</summary>
/// <remarks>
/// <para>
/// Call these methods after <c>UseTransactions</c>. They call it themselves if it has not been called. A later call of
/// <c>UseTransactions</c> would replace their registrations, so such a silo does not start. They do not need
/// <c>AddScalableTimers</c>. With it, the plugin's bounds wait on the silo's timer wheels.
/// </para>
/// <para>
/// <b>Cost.</b> No call filter is registered, so a call without a transaction costs nothing. A phase without a bound
/// and without measuring costs a call through an interface. Measuring reads the clock about twenty times for a
/// transaction of two participants.
/// </para>
/// <para>
/// <b>Threads.</b> Call these methods while the silo is being configured. Calling twice configures twice and registers
/// once.
/// </para>
/// </remarks>
public static class TransactionPhasesBuilderExtensions
{
    /// <summary>Bounds the phases of transactions.</summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configure">
    /// Sets bounds. A bound that is out of range, or that contradicts another, keeps the silo from starting.
    /// </param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder ConfigureTransactionPhases(
        this ISiloBuilder builder, Action<TransactionPhaseOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        TransactionPhasesRegistration.AddTo(builder);
        return configure is null ? builder : builder.Configure(configure);
    }

    /// <summary>Measures each phase: how long it took, and how often it took too long.</summary>
    /// <param name="builder">The silo.</param>
    /// <returns><paramref name="builder"/>.</returns>
    /// <remarks>
    /// The meter <c>Orleans.Timers.Scalable</c> has a histogram <c>scalable_timers.transaction.phase.duration</c> in
    /// seconds and a counter <c>scalable_timers.transaction.phase.timeouts</c>, with the tags <c>phase</c> and
    /// <c>silo</c>. Each phase is measured in the silo where it happens.
    /// </remarks>
    public static ISiloBuilder MeasureTransactionPhases(this ISiloBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        TransactionPhasesRegistration.AddTo(builder);
        TransactionPhasesRegistration.Measure(builder.Services);
        return builder;
    }
}
