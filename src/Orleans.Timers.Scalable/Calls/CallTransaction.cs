using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>The transaction in which a call is made. It fails when its caller gives the call up.</summary>
/// <remarks>
/// A call inside a transaction takes a fork of the transaction along. The answer brings the fork back, with the
/// participants. Orleans' own response timeout ends the call, so the fork does not come back, and a transaction with an
/// outstanding fork does not commit. A call that the plugin gives up goes on for Orleans, and its answer may come back
/// before the transaction ends. Then the transaction would commit an effect that its caller believes not to have
/// happened.
/// </remarks>
internal static class CallTransaction
{
    /// <remarks>
    /// This is not a silo's serializer, because <c>WithTimeout</c> knows no silo: a <see cref="TimerService"/> may
    /// belong to any container. It serializes only exceptions of Orleans and .NET, which every silo can read. Creating
    /// it takes a tenth of a second. It is created ahead, so that no timeout is late by that.
    /// </remarks>
    private static readonly Lazy<Task<Serializer<OrleansTransactionAbortedException>>> s_serializer =
        new(static () => Task.Run(static () =>
        {
            var services = new ServiceCollection().AddSerializer().BuildServiceProvider();
            return services.GetRequiredService<Serializer<OrleansTransactionAbortedException>>();
        }));

    /// <summary>Gets the transaction in which the current code makes its calls; null if there is none.</summary>
    internal static TransactionInfo? Current
    {
        get
        {
            var transaction = TransactionContext.GetTransactionInfo();
            if (transaction is not null)
            {
                _ = s_serializer.Value;
            }

            return transaction;
        }
    }

    /// <summary>
    /// Returns the transaction that a call joins; null if it joins none or starts its own.
    /// </summary>
    internal static TransactionInfo? JoinedBy(IInvokable request) =>
        request is TransactionRequestBase
        {
            TransactionOption: TransactionOption.CreateOrJoin or TransactionOption.Join or TransactionOption.Supported,
        }
            ? Current
            : null;

    /// <summary>
    /// Prevents the transaction from committing. Call it before the caller learns that the call was given up.
    /// </summary>
    internal static void Fail(TransactionInfo transaction, string reason)
    {
        // This fork never comes back.
        transaction.Fork();

        // A fork counts in the current method only. If the caller of that method catches the exception and goes on, the
        // recorded exception keeps the rest from committing.
        Record(transaction, new TimeoutException(
            $"{reason} The transaction that made the call can no longer commit."));
    }

    /// <summary>
    /// Records the exception for which the transaction aborts, unless one is recorded. Does not throw.
    /// </summary>
    internal static void Record(TransactionInfo transaction, Exception exception)
    {
        if (!TryRecord(transaction, exception))
        {
            // The exception cannot be serialized. The transaction must record that there was one all the same.
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
}
