namespace TransactionsDemo.OnOrleans;

/// <summary>Does not answer in time.</summary>
internal interface ISilentGrain : IGrainWithIntegerKey
{
    static readonly TimeSpan ResponseTimeout = TimeSpan.FromMilliseconds(200);

    /// <summary>Answers long after its response timeout, so that no call is left when the silo stops.</summary>
    [ResponseTimeout("00:00:00.2")]
    Task KeepSilentAsync();
}
