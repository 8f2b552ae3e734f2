using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization.Invocation;

namespace Orleans.Timers.Scalable.Calls;

/// <summary>What the plugin does about transactions, if the program has the package for them.</summary>
/// <remarks>
/// Orleans has transactions in a separate package, and so does the plugin: a silo without transactions needs neither.
/// The package is found by name, so a silo with transactions need only call <c>AddScalableTimers</c>, and no forgotten
/// line lets a transaction commit what its caller has given up.
/// </remarks>
internal abstract class TransactionSupport
{
    internal const string Package = "Orleans.Timers.Scalable.Transactions";

    /// <summary>The package's implementation; without the package, <see cref="NoTransactionSupport"/>.</summary>
    internal static TransactionSupport Instance { get; } =
        Type.GetType($"{Package}.ReferencedTransactionSupport, {Package}") is { } type
            ? (TransactionSupport)Activator.CreateInstance(type, nonPublic: true)!
            : new NoTransactionSupport();

    /// <summary>Gets the transaction that the current code makes its calls in; null outside transactions.</summary>
    /// <param name="timers">Those that bound the calls.</param>
    internal abstract ICallTransaction? Current(CallTimers timers);

    /// <summary>
    /// Takes over the timers of transactions in a silo. Without the package, a silo with transactions does not start.
    /// </summary>
    internal abstract void AddToSilo(IServiceCollection services);

    /// <summary>Adds filters that abort a transaction wholly when a call in it was not answered.</summary>
    internal virtual void AddCallFilters(IServiceCollection services)
    {
    }

    /// <summary>Returns the transaction that a call joins; null if it joins none or starts its own.</summary>
    internal abstract ICallTransaction? JoinedBy(IInvokable request, CallTimers timers);

    /// <summary>Whether the method of a request that is invoked may begin only after a transaction has.</summary>
    internal virtual bool BeginsLater(IInvokable request) => false;

    /// <summary>
    /// Ends a request without running it. The caller's transaction fails, as if the method itself had failed.
    /// </summary>
    internal abstract Task Refuse(IIncomingGrainCallContext context, Exception exception);
}
