using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Serialization.Invocation;
using Orleans.Timers.Internal;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Registration;
using Orleans.Timers.Scalable.Transactions.Calls;
using Orleans.Timers.Scalable.Transactions.Confirmation;
using Orleans.Timers.Scalable.Transactions.StaticTimers;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions;

/// <summary>What the plugin does about transactions. <c>AddScalableTimers</c> finds this type by its name.</summary>
internal sealed class TransactionTimers : TransactionSupport
{
    /// <summary>The default of the time after which a transaction's manager repeats a confirmation.</summary>
    /// <remarks>
    /// Orleans' default is 30 seconds, but its timer manager ends that wait early: participants were confirmed after 8
    /// to 20 seconds. On timers that are never early its default would leave a state without its confirmation, and so
    /// unable to commit anything else, for longer than without the plugin.
    /// </remarks>
    private static readonly TimeSpan s_confirmationRetry = TimeSpan.FromSeconds(10);

    internal override ICallTransaction? Current =>
        TransactionContext.GetTransactionInfo() is { } transaction ? new CallTransaction(transaction) : null;

    internal override void AddToSilo(IServiceCollection services)
    {
        services.Replace(ServiceDescriptor.Singleton<ITimerManager, ScalableTimerManager>());
        LifecycleParticipant.AddTo<StaticTimersLifecycle>(services);

        // In front of all that an application configures, which therefore prevails.
        services.Insert(0, ServiceDescriptor.Singleton<IConfigureOptions<TransactionalStateOptions>>(
            new ConfigureNamedOptions<TransactionalStateOptions>(
                name: null, static options => options.ConfirmationRetryDelay = s_confirmationRetry)));
    }

    internal override void AddCallFilter(IServiceCollection services) =>
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IIncomingGrainCallFilter, TransactionalCallFilter>());

    internal override void Check(IServiceProvider services)
    {
    }

    internal override ICallTransaction? JoinedBy(IInvokable request) =>
        request is TransactionRequestBase
        {
            TransactionOption: TransactionOption.CreateOrJoin or TransactionOption.Join or TransactionOption.Supported,
        }
            ? Current
            : null;

    internal override Task Refuse(IIncomingGrainCallContext context, Exception exception)
    {
        if (context.Request is not TransactionRequestBase { TransactionInfo: { } transaction })
        {
            return Task.FromException(exception);
        }

        CallTransaction.Record(transaction, exception);
        context.Response = TransactionResponse.Create(Response.FromException(exception), transaction);
        return Task.CompletedTask;
    }
}
