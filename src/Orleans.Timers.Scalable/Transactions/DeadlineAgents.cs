using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable;

/// <summary>
/// The services of requests with a <see cref="TransactionWithDeadlineAttribute"/>: those of the silo, but with a
/// transaction agent that enforces deadlines.
/// </summary>
/// <remarks>
/// Orleans' requests take their agent from the services that they are constructed with. So the attribute works in a
/// silo whose agent has not been decorated, wherever <c>UseTransactions</c> was called, and other transactions keep
/// Orleans' agent.
/// </remarks>
internal sealed class DeadlineAgents(IServiceProvider services) : IServiceProvider
{
    private readonly Lazy<ITransactionAgent> _agent = new(() =>
        new PhasedTransactionAgent(
            services.GetRequiredService<ITransactionAgent>(),
            services.GetRequiredService<TransactionPhases>(),
            services.GetRequiredService<ILogger<PhasedTransactionAgent>>()));

    public object? GetService(Type serviceType) =>
        serviceType == typeof(ITransactionAgent) ? _agent.Value : services.GetService(serviceType);

    /// <summary>Called for each request with the attribute, where it is made and where it runs.</summary>
    internal static IServiceProvider For(IServiceProvider services) =>
        services.GetService<ITransactionAgent>() switch
        {
            // A process without transactions makes such calls and runs none of them.
            null or PhasedTransactionAgent => services,
            { } agent => services.GetService<DeadlineAgents>() ?? (IServiceProvider)new Unserved(services, agent),
        };

    /// <summary>Refuses a deadline that nothing in this process would enforce.</summary>
    private sealed class Unserved(IServiceProvider services, ITransactionAgent agent)
        : IServiceProvider, ITransactionAgent
    {
        public object? GetService(Type serviceType) =>
            serviceType == typeof(ITransactionAgent) ? this : services.GetService(serviceType);

        public Task<TransactionInfo> StartTransaction(bool readOnly, TimeSpan timeout) =>
            TransactionDeadline.TakePending() is { } deadline
                ? throw new InvalidOperationException(
                    $"The method has a {nameof(TransactionWithDeadlineAttribute)} of {deadline}, which this silo does "
                        + "not enforce. Call AddScalableTimers or ConfigureTransactionPhases where the silo is "
                        + "configured. The method has not run.")
                : agent.StartTransaction(readOnly, timeout);

        public Task<(TransactionalStatus Status, Exception? exception)> Resolve(TransactionInfo transactionInfo) =>
            agent.Resolve(transactionInfo);

        public Task Abort(TransactionInfo transactionInfo) => agent.Abort(transactionInfo);
    }
}
