using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization.Invocation;

namespace Orleans.Timers.Scalable.Calls;

/// <summary>What the plugin does about transactions, if the program has the package that knows them.</summary>
/// <remarks>
/// <para>
/// Orleans has transactions in a package of its own, and so does the plugin: a silo without transactions needs neither.
/// The package is found by its name, so that <c>AddScalableTimers</c> is all that a silo with transactions has to call,
/// and so that no forgotten line lets a transaction commit what its caller has given up.
/// </para>
/// <para><b>Threads.</b> Any.</para>
/// </remarks>
internal abstract class TransactionSupport
{
    internal const string Package = "Orleans.Timers.Scalable.Transactions";

    /// <summary>The package's own implementation; without the package one that knows of no transactions.</summary>
    internal static TransactionSupport Instance { get; } =
        Type.GetType($"{Package}.TransactionTimers, {Package}") is { } type
            ? (TransactionSupport)Activator.CreateInstance(type, nonPublic: true)!
            : new NoTransactionSupport();

    /// <summary>Gets the transaction in which the current code makes its calls; null if there is none.</summary>
    internal abstract ICallTransaction? Current { get; }

    /// <summary>
    /// Takes over the timers of transactions in a silo. Without the package, a silo with transactions does not start.
    /// </summary>
    internal abstract void AddToSilo(IServiceCollection services);

    /// <summary>
    /// Makes a caller's transaction fail where a method that it called has failed its part, whatever the caller does
    /// about the exception.
    /// </summary>
    internal abstract void AddCallFilter(IServiceCollection services);

    /// <summary>
    /// Returns the transaction that a call joins; null if it joins none or starts its own.
    /// </summary>
    internal abstract ICallTransaction? JoinedBy(IInvokable request);

    /// <summary>
    /// Ends a request that is not run. The caller's transaction fails, as if the method itself had failed.
    /// </summary>
    internal abstract Task Refuse(IIncomingGrainCallContext context, Exception exception);
}
