using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A transaction that has changed an account by 10 and holds its lock until a test lets it go on.</summary>
internal sealed class LockHolder
{
    private readonly TaskCompletionSource _release = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private LockHolder()
    {
    }

    /// <summary>Ends when the transaction does.</summary>
    internal Task Transaction { get; private set; } = Task.CompletedTask;

    /// <summary>Begins the transaction in a silo. Returns when it has the lock.</summary>
    internal static async Task<LockHolder> Begin(InProcessSiloHandle silo, IAccountGrain account)
    {
        var holder = new LockHolder();
        var locked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        holder.Transaction = silo.ServiceProvider.GetRequiredService<ITransactionClient>()
            .RunTransaction(TransactionOption.Create, async () =>
        {
            await silo.Grains().GetGrain<IAccountGrain>(account.GetPrimaryKeyString()).Add(10);
            locked.SetResult();
            await holder._release.Task;
        });
        await locked.Task.Guarded("the holder has the lock");
        return holder;
    }

    internal void Release() => _release.SetResult();

    /// <summary>Whether the transaction, which goes on, commits. It may have been too slow for that.</summary>
    internal async Task<bool> Commits()
    {
        try
        {
            await Transaction.Guarded("the holder ends");
            return true;
        }
        catch (OrleansTransactionTransientFailureException)
        {
            return false;
        }
    }
}
