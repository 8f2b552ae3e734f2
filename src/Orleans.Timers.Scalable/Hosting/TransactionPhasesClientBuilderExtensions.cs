using System.Runtime.CompilerServices;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable;

namespace Orleans.Hosting;

/// <summary>
/// Bounds and measures the transactions that a client begins with <see cref="ITransactionClient"/>.
/// </summary>
/// <remarks>
/// <para>
/// A client starts such a transaction and resolves it, so it can enforce
/// <see cref="TransactionPhaseOptions.Deadline"/>, <see cref="TransactionPhaseOptions.Start"/>,
/// <see cref="TransactionPhaseOptions.Commit"/>, <see cref="TransactionPhaseOptions.Abort"/> and
/// <see cref="TransactionPhaseOptions.Response"/>. The other bounds belong to silos, and a client on which one of them
/// is set does not start. Transactions that grain methods start are bounded in the silo that runs the method; clients
/// need nothing for those.
/// </para>
/// <para>
/// Call these methods after <c>UseTransactions</c>. They call it themselves if it has not been called. A later call of
/// <c>UseTransactions</c> would replace their registrations, so such a client does not start.
/// </para>
/// <para>
/// <b>Cost.</b> No call filter is registered. A transaction costs two calls through an interface, and some readings of
/// the clock if it is measured. <b>Threads.</b> Call these methods while the client is being configured. Calling twice
/// configures twice and registers once.
/// </para>
/// </remarks>
public static class TransactionPhasesClientBuilderExtensions
{
    /// <summary>Bounds the transactions that this client begins.</summary>
    /// <param name="builder">The client.</param>
    /// <param name="configureOptions">
    /// Sets bounds. A bound that is out of range, that contradicts another, or that only a silo can enforce keeps the
    /// client from starting.
    /// </param>
    /// <returns><paramref name="builder"/>.</returns>
    [OverloadResolutionPriority(1)]
    public static IClientBuilder ConfigureTransactionPhases(
        this IClientBuilder builder, Action<TransactionPhaseOptions> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(configureOptions);
        return builder.ConfigureTransactionPhases(
            (OptionsBuilder<TransactionPhaseOptions> options) => options.Configure(configureOptions));
    }

    /// <summary>Bounds the transactions that this client begins.</summary>
    /// <param name="builder">The client.</param>
    /// <param name="configureOptions">
    /// Sets bounds, for instance by binding them to configuration. A bound that is out of range, that contradicts
    /// another, or that only a silo can enforce keeps the client from starting.
    /// </param>
    /// <returns><paramref name="builder"/>.</returns>
    public static IClientBuilder ConfigureTransactionPhases(
        this IClientBuilder builder, Action<OptionsBuilder<TransactionPhaseOptions>> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configureOptions);
        configureOptions(TransactionPhasesRegistration.AddTo(builder));
        return builder;
    }

    /// <summary>Measures the transactions that this client begins.</summary>
    /// <param name="builder">The client.</param>
    /// <returns><paramref name="builder"/>.</returns>
    /// <remarks>
    /// <see cref="TransactionPhaseStatistics"/> from the client's services has the figures so far: transaction, start,
    /// resolve and abort. The instruments are those of a silo; the tag <c>silo</c> is <c>client</c>.
    /// </remarks>
    public static IClientBuilder MeasureTransactionPhases(this IClientBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        TransactionPhasesRegistration.AddTo(builder);
        TransactionPhasesRegistration.Measure(builder.Services);
        return builder;
    }
}
