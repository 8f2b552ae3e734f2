using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;
using Orleans.Timers.Scalable.Calls;
using Orleans.Transactions;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Transactions.ProtocolFixes;

/// <summary>The transaction that a call is made in. It fails when the caller gives up the call.</summary>
/// <remarks>
/// A call inside a transaction carries a fork of the transaction. The answer brings the fork back, with the
/// participants. Orleans' own response timeout ends the call, so the fork does not come back, and a transaction with an
/// outstanding fork does not commit. A call that the plugin gives up continues for Orleans, and its answer may come
/// back before the transaction ends. The transaction would then commit an effect that the caller believes did not
/// happen.
/// </remarks>
internal sealed class CallTransaction : ICallTransaction
{
    /// <remarks>
    /// Not a silo's serializer, because <c>WithTimeout</c> knows no silo: a <see cref="TimerService"/> may belong to
    /// any container. It serializes only exceptions of Orleans and .NET, which every silo can read. Creating it takes a
    /// tenth of a second, so that happens in advance and delays no timeout.
    /// </remarks>
    private static readonly Lazy<Task<Serializer<OrleansTransactionAbortedException>>> s_serializer =
        new(static () => Task.Run(static () =>
        {
            var services = new ServiceCollection().AddSerializer().BuildServiceProvider();
            return services.GetRequiredService<Serializer<OrleansTransactionAbortedException>>();
        }));

    private readonly TransactionInfo _transaction;

    internal CallTransaction(TransactionInfo transaction)
    {
        _transaction = transaction;
        _ = s_serializer.Value;
    }

    public void Fail(string reason)
    {
        // This fork never comes back.
        _transaction.Fork();

        // A fork counts only in the current method. If the caller of that method catches the exception and continues,
        // the recorded exception keeps the rest from committing.
        Record(_transaction, new TimeoutException(
            $"{reason} The transaction that made the call can no longer commit."));
    }

    public IDisposable Hold() => new Fork(_transaction);

    /// <summary>
    /// Records the exception that aborts the transaction, unless one is already recorded. Does not throw.
    /// </summary>
    internal static void Record(TransactionInfo transaction, Exception exception)
    {
        if (!TryRecord(transaction, exception))
        {
            // The exception cannot be serialized, but the transaction must still record that there was one.
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
#pragma warning disable CA1031 // A serializer may throw anything.
        catch (Exception)
#pragma warning restore CA1031
        {
            return false;
        }
    }

    private sealed class Fork(TransactionInfo transaction) : IDisposable
    {
        private readonly TransactionInfo _fork = transaction.Fork();

        public void Dispose() => transaction.Join(_fork);
    }
}
