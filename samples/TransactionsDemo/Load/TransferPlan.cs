using TransactionsDemo.Bank;

namespace TransactionsDemo.Load;

/// <summary>
/// The transfers that are made. The nth transfer of a teller depends on the seed and the round, and not on the outcomes
/// of others. So every kind of timers gets the same transfers.
/// </summary>
internal sealed class TransferPlan(BankSettings settings, WorkMix mix, int round)
{
    /// <summary>One account in so many is hot.</summary>
    private const int AccountsPerHotAccount = 100;

    private const int MaxAmount = 100;

    /// <summary>
    /// Of the hot transfers. Each two of them that meet in opposite directions block each other until a time limit.
    /// </summary>
    private const double IgnoresLockOrderShare = 0.02;

    private const double LosesAnswerShare = 0.1;

    private static readonly TransferPhase[] s_phases = Enum.GetValues<TransferPhase>();

    /// <summary>The transfer number <paramref name="index"/>, from 0, of a teller.</summary>
    public Transfer Create(int teller, int index)
    {
        var id = ((long)round << 50) | ((long)teller << 32) | (uint)index;
        var numbers = new SeededNumbers((ulong)settings.Seed, (ulong)id);
        var isHot = numbers.NextShare() < mix.Hot;
        var candidates = isHot ? Math.Max(2, settings.Accounts / AccountsPerHotAccount) : settings.Accounts;
        var (from, to) = TwoOf(candidates, ref numbers);
        var isSlow = numbers.NextShare() < mix.Slow;
        var fails = numbers.NextShare() < mix.Fail;
        var losesAnswer = numbers.NextShare() < LosesAnswerShare;
        return new Transfer
        {
            Id = id,
            Teller = teller,
            From = from,
            To = to,
            Amount = 1 + numbers.NextBelow(MaxAmount),
            Deliberation = isSlow ? TimeSpan.FromMilliseconds(5 + numbers.NextBelow(21)) : TimeSpan.Zero,
            IsRefused = fails && !losesAnswer,
            LostAnswer = fails && losesAnswer ? s_phases[numbers.NextBelow(s_phases.Length)] : null,
            IgnoresLockOrder = isHot && numbers.NextShare() < IgnoresLockOrderShare,
        };
    }

    private static (int From, int To) TwoOf(int accounts, ref SeededNumbers numbers)
    {
        var from = numbers.NextBelow(accounts);
        var to = numbers.NextBelow(accounts - 1);
        return (from, to < from ? to : to + 1);
    }
}
