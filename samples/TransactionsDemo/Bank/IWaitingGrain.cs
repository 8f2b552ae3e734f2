namespace TransactionsDemo.Bank;

/// <summary>Shows when waits in a grain end.</summary>
internal interface IWaitingGrain : IGrainWithIntegerKey
{
    static readonly TimeSpan ResponseTimeout = TimeSpan.FromMilliseconds(200);

    /// <summary>Waits once.</summary>
    /// <returns>How long the wait took.</returns>
    Task<TimeSpan> Measure(TimeSpan dueTime);

    /// <summary>Answers long after its response timeout.</summary>
    [ResponseTimeout("00:00:00.2")]
    Task AnswerTooLate();
}
