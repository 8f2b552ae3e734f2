using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization.Invocation;

namespace Orleans.Timers.Scalable.Calls;

/// <summary>For programs without the package for transactions, most of which have no transactions at all.</summary>
/// <remarks>
/// A silo that has Orleans' transactions anyway does not start: if a call inside one were given up, the transaction
/// could still commit its effects. A client may begin transactions too; bounded calls inside them are refused.
/// </remarks>
internal sealed class NoTransactionSupport : TransactionSupport
{
    private const string Orleans = "Orleans.Transactions";

    private readonly Func<object?>? _current = Type.GetType($"{Orleans}.TransactionContext, {Orleans}")
        ?.GetMethod("GetTransactionInfo", BindingFlags.Static | BindingFlags.Public)
        ?.CreateDelegate<Func<object?>>();

    internal override ICallTransaction? Current(CallTimers timers)
    {
        if (_current?.Invoke() is not { } transaction)
        {
            return null;
        }

        // The call may have begun, and its caller may catch the exception and continue. A fork that never comes back
        // keeps the method from committing.
        transaction.GetType().GetMethod("Fork", [])?.Invoke(transaction, null);
        throw new InvalidOperationException(
            $"A call inside a transaction cannot have a timeout or a deadline without the package {Package}, because "
                + "the transaction could commit although the call was given up. Reference the package.");
    }

    internal override void AddToSilo(IServiceCollection services) =>
        services.AddSingleton<IConfigurationValidator, Validator>();

    internal override ICallTransaction? JoinedBy(IInvokable request, CallTimers timers) => Current(timers);

    internal override Task Refuse(IIncomingGrainCallContext context, Exception exception) =>
        Task.FromException(exception);

    internal sealed class Validator(IServiceProvider services) : IConfigurationValidator
    {
        public void ValidateConfiguration()
        {
            if (Type.GetType($"{Orleans}.ITransactionAgent, {Orleans}") is { } agent
                && services.GetService(agent) is not null)
            {
                throw new OrleansConfigurationException(
                    $"A silo with transactions needs the package {Package} beside scalable timers, because a "
                        + "transaction could commit although a call in it was given up. Reference the package.");
            }
        }
    }
}
