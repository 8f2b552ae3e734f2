using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Serialization;
using Orleans.Serialization.Invocation;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Registration;
using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using Orleans.Timers.Scalable.Transactions.Waits;
using Orleans.Timers.Scalable.Transactions.Phases;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions;

/// <summary>What the plugin does about transactions. <c>AddScalableTimers</c> finds this type by its name.</summary>
internal sealed class ReferencedTransactionSupport : TransactionSupport
{
    internal override ICallTransaction? Current(CallTimers timers)
    {
        if (TransactionContext.GetTransactionInfo() is not { } transaction)
        {
            return null;
        }

        if (timers.Services is { } services)
        {
            return new CallTransaction(transaction, Serializer(services));
        }

        // The call may have begun, and its caller may catch the exception and continue.
        transaction.Fork();
        throw new InvalidOperationException(
            "A call inside a transaction can have a timeout only from the TimerService of a silo or client with "
                + "AddScalableTimers. Take that one from its services.");
    }

    internal override void AddToSilo(IServiceCollection services)
    {
        LifecycleParticipant.AddTo<StaticTimersLifecycle>(services);
        TransactionPhases.AddStates(services);
        services.TryAddTransient<ITransactionCommitterFactory, TransactionCommitterFactory>();
        services.AddIfItFits(
            "Superseded timers of transactions (they are kept until they are due)",
            static services =>
            {
                services.AddSingleton<WorkerTokens>();
                services.Decorate<ITransactionCommitterFactory>(null, static (factory, services) =>
                    new TransactionCommitters(
                        factory,
                        services.GetRequiredService<IGrainContextAccessor>(),
                        services.GetRequiredService<WorkerTokens>()));
            },
            defaults: 0,
            static () => WorkerTokens.Checked(),
            static () => typeof(TransactionCommitters));

        // In front, so that an application's configuration overrides it.
        services.Insert(
            0, ServiceDescriptor.Singleton<IConfigureOptions<TransactionalStateOptions>, ConfirmationRetry>());
    }

    internal override void AddCallFilters(IServiceCollection services)
    {
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IIncomingGrainCallFilter, TransactionalCallFilter>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IOutgoingGrainCallFilter, UnansweredCallFilter>());
        services.TryAddSingleton<LostCallees>();
        services.AddSingleton(new LostWhenOff(
            "an aborted transaction leaves the locks of unanswered calls until they expire"));

        // Where phases are configured, the agent is decorated already, unless they were configured too early.
        if (!services.Any(static service => service.ServiceType == typeof(TransactionPhases.AreConfigured)))
        {
            TransactionPhases.AddAgent(services);
        }
    }

    internal override ICallTransaction? JoinedBy(IInvokable request, CallTimers timers) =>
        request is TransactionRequestBase
        {
            TransactionOption: TransactionOption.CreateOrJoin or TransactionOption.Join or TransactionOption.Supported,
        }
            ? Current(timers)
            : null;

    internal override bool BeginsLater(IInvokable request) => request is TransactionRequestBase;

    internal override Task Refuse(IIncomingGrainCallContext context, Exception exception)
    {
        if (context.Request is not TransactionRequestBase { TransactionInfo: { } transaction })
        {
            return Task.FromException(exception);
        }

        CallTransaction.Record(transaction, exception, Serializer(context.TargetContext.ActivationServices));
        context.Response = TransactionResponse.Create(Response.FromException(exception), transaction);
        return Task.CompletedTask;
    }

    private static Serializer<OrleansTransactionAbortedException> Serializer(IServiceProvider services) =>
        services.GetRequiredService<Serializer<OrleansTransactionAbortedException>>();
}
