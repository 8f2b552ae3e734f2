using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The accounts of a payer and a payee that no other test knows.</summary>
internal sealed class TwoAccounts(IGrainFactory grains)
{
    private readonly Guid _bank = Guid.NewGuid();

    internal string From => $"{_bank}/from";

    internal string To => $"{_bank}/to";

    internal IAccountGrain Payer => grains.GetGrain<IAccountGrain>(From);

    internal IAccountGrain Payee => grains.GetGrain<IAccountGrain>(To);

    internal Task AssertMoved(int amount) => AssertBalances(-amount, amount);

    internal async Task AssertBalances(int payer, int payee)
    {
        Assert.Equal(payer, await Balance(Payer).Guarded("the payer's balance is known"));
        Assert.Equal(payee, await Balance(Payee).Guarded("the payee's balance is known"));
    }

    internal static Task<int> Balance(IAccountGrain account) => UntilNotTransient(account.Balance);

    /// <inheritdoc cref="UntilNotTransient{T}"/>
    internal static Task UntilNotTransient(Func<Task> transact) => UntilNotTransient(async () =>
    {
        await transact();
        return true;
    });

    /// <summary>
    /// Repeats a transaction that aborts because a machine under load was late, or because it met an unfinished
    /// clean-up.
    /// </summary>
    internal static async Task<T> UntilNotTransient<T>(Func<Task<T>> transact)
    {
        for (var attempts = 1; ; attempts++)
        {
            try
            {
                return await transact();
            }
            catch (OrleansTransactionTransientFailureException) when (attempts < 20)
            {
            }
        }
    }
}
