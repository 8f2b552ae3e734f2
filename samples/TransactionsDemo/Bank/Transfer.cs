namespace TransactionsDemo.Bank;

/// <summary>An order to move money from one account to another, with the faults that are injected into it.</summary>
internal readonly record struct Transfer
{
    /// <summary>Increases from each transfer of a teller to its next.</summary>
    public required long Id { get; init; }

    public required int Teller { get; init; }

    public required int From { get; init; }

    public required int To { get; init; }

    public required long Amount { get; init; }

    /// <summary>How long the teller deliberates while the first account is locked; usually not at all.</summary>
    public TimeSpan Deliberation { get; init; }

    /// <summary>The teller refuses the transfer after the first account has been locked.</summary>
    public bool IsRefused { get; init; }

    /// <summary>In this phase the first answer of the second account is lost.</summary>
    public TransferPhase? LostAnswer { get; init; }

    /// <summary>
    /// Whether the paying account is locked first. Two such transfers may wait for each other. If accounts are locked
    /// in the order of their numbers, that is impossible.
    /// </summary>
    public bool IgnoresLockOrder { get; init; }

    public int First => IgnoresLockOrder ? From : Math.Min(From, To);

    public int Second => First == From ? To : From;

    public long AmountFor(int account) => account == From ? -Amount : Amount;
}
