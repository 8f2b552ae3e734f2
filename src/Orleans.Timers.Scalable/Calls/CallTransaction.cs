using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>The transaction in which a call is made, and how it fails when its caller gives the call up.</summary>
/// <remarks>
/// A call inside a transaction takes a fork of the transaction along, and its answer brings it back, with the
/// participants. Orleans' own response timeout ends the call, so that nothing comes back, and a transaction with a fork
/// outstanding does not commit. A call that we give up goes on for Orleans, and its answer may come back before the
/// transaction ends. Then it would commit what its caller believes not to have happened.
/// </remarks>
internal static class CallTransaction
{
    /// <remarks>
    /// Not that of a silo: <c>WithTimeout</c> knows none, since a <see cref="TimerService"/> may belong to any
    /// container. What is written with it are Orleans' and .NET's own exceptions, which every silo can read.
    /// It takes a tenth of a second to make, which no timeout shall be late by.
    /// </remarks>
    private static readonly Lazy<Task<Serializer<OrleansTransactionAbortedException>>> s_serializer = new(static () => Task.Run(static () =>
        new ServiceCollection().AddSerializer().BuildServiceProvider().GetRequiredService<Serializer<OrleansTransactionAbortedException>>()));

    /// <summary>Gets the transaction in which calls are made here; null if there is none.</summary>
    internal static TransactionInfo? Current => Prepare(TransactionContext.GetTransactionInfo());

    /// <summary>
    /// The transaction that a call takes part in; null if it takes part in none, or in one of its own.
    /// </summary>
    internal static TransactionInfo? JoinedBy(IInvokable request) =>
        request is TransactionRequestBase { TransactionOption: TransactionOption.CreateOrJoin or TransactionOption.Join or TransactionOption.Supported } ? Current : null;

    /// <summary>
    /// From now on the transaction cannot commit. Comes before the caller hears that the call was given up.
    /// </summary>
    internal static void Fail(TransactionInfo transaction, string reason)
    {
        // One that never comes back.
        transaction.Fork();

        // A fork counts in this method only. If its caller catches the exception and goes on, this is what keeps the rest
        // from committing.
        Record(transaction, new TimeoutException($"{reason} The transaction in which the call was made cannot commit any more."));
    }

    /// <summary>Makes an exception the one for which the transaction aborts, if there is none yet. Does not throw.</summary>
    internal static void Record(TransactionInfo transaction, Exception exception)
    {
        if (!TryRecord(transaction, exception))
        {
            // One that cannot be sent. That there was one must be known all the same.
            TryRecord(transaction, new OrleansTransactionAbortedException(transaction.Id, exception.Message));
        }
    }

    private static bool TryRecord(TransactionInfo transaction, Exception exception)
    {
        try
        {
            transaction.RecordException(exception, s_serializer.Value.GetAwaiter().GetResult());
            return true;
        }
#pragma warning disable CA1031 // Whatever a serializer throws.
        catch (Exception)
#pragma warning restore CA1031
        {
            return false;
        }
    }

    private static TransactionInfo? Prepare(TransactionInfo? transaction)
    {
        if (transaction is not null)
        {
            _ = s_serializer.Value;
        }

        return transaction;
    }
}
