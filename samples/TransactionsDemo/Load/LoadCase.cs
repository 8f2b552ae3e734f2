using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Load;

/// <summary>What is compared: a bank and the timers it runs on.</summary>
internal sealed record LoadCase(IBankEngine Engine, TimerKind Timers, BankSettings Bank)
{
    public override string ToString() => $"{Engine.Name}, {Timers.ToName()} timers";

    public Task<IBank> OpenAsync() => Engine.OpenAsync(Timers, Bank);
}
