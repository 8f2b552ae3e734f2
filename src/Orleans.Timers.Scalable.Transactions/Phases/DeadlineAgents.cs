using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>
/// The services for requests with a <see cref="TransactionWithDeadlineAttribute"/>: the silo's, but with a transaction
/// agent that enforces deadlines.
/// </summary>
/// <remarks>
/// Orleans' requests take their agent from the services that they are constructed with. So the attribute works in every
/// silo. Other transactions keep Orleans' agent, unless <c>ConfigureTransactionPhases</c> decorates it.
/// </remarks>
internal sealed class DeadlineAgents(IServiceProvider services) : IServiceProvider
{
    private static readonly ConditionalWeakTable<IServiceProvider, DeadlineAgents> s_all = [];

    private readonly Lazy<ITransactionAgent> _agent = new(() =>
        new PhasedTransactionAgent(
            services.GetRequiredService<ITransactionAgent>(),
            new TransactionPhases(services),
            services.GetRequiredService<ILogger<PhasedTransactionAgent>>()));

    public object? GetService(Type serviceType) =>
        serviceType == typeof(ITransactionAgent) ? _agent.Value : services.GetService(serviceType);

    /// <summary>Called for each request with the attribute, where it is made and where it runs.</summary>
    internal static IServiceProvider For(IServiceProvider services) =>
        services.GetService<ITransactionAgent>() is null or PhasedTransactionAgent
            ? services
            : s_all.GetValue(services, static services => new DeadlineAgents(services));
}
