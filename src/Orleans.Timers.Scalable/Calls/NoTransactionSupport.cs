using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization.Invocation;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Timers.Scalable.Calls;

/// <summary>The program lacks the package for transactions, and most often transactions altogether.</summary>
/// <remarks>
/// If it has Orleans' transactions nevertheless, a call inside of one must not be given up: the transaction could
/// commit what its caller believes not to have happened.
/// </remarks>
internal sealed class NoTransactionSupport : TransactionSupport, IReportedPart
{
    private const string Orleans = "Orleans.Transactions";

    private readonly Func<object?>? _current = Type.GetType($"{Orleans}.TransactionContext, {Orleans}")
        ?.GetMethod("GetTransactionInfo", BindingFlags.Static | BindingFlags.Public)
        ?.CreateDelegate<Func<object?>>();

    public string Report => $"Phases and static timers of transactions: left to Orleans (the program has no {Package})";

    internal override ICallTransaction? Current
    {
        get
        {
            if (_current?.Invoke() is not { } transaction)
            {
                return null;
            }

            // The call may have begun, and its caller may catch the exception and go on. A fork that never comes back
            // keeps the method from committing.
            transaction.GetType().GetMethod("Fork", [])?.Invoke(transaction, null);
            throw new InvalidOperationException(
                $"A call inside a transaction cannot have a timeout or a deadline without the package {Package}, "
                    + "because the transaction could commit although the call was given up. Reference the package.");
        }
    }

    internal override void AddToSilo(IServiceCollection services)
    {
        if (_current is not null)
        {
            services.AddSingleton<IReportedPart>(this);
        }
    }

    internal override void AddCallFilter(IServiceCollection services)
    {
    }

    internal override void Check(IServiceProvider services)
    {
        if (Type.GetType($"{Orleans}.ITransactionAgent, {Orleans}") is { } agent
            && services.GetService(agent) is not null)
        {
            throw new OrleansConfigurationException(
                $"A silo with transactions needs the package {Package} for AddCallTimeouts and AddCallDeadlines, "
                    + "because a transaction could commit although a call in it was given up. Reference the package.");
        }
    }

    internal override ICallTransaction? JoinedBy(IInvokable request) => Current;

    internal override Task Refuse(IIncomingGrainCallContext context, Exception exception) =>
        Task.FromException(exception);
}
