using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Load;

/// <summary>One case of the comparison: a bank and its kind of timers.</summary>
internal sealed record LoadCase(IBankEngine Engine, TimerKind Timers, BankSettings Bank)
{
    public override string ToString() => $"{Engine.Name}, {Timers.ToName()} timers";

    public Task<IBank> OpenAsync() => Engine.OpenAsync(Timers, Bank);
}
