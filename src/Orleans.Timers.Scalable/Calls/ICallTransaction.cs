namespace Orleans.Timers.Scalable.Calls;

/// <summary>The transaction in which a call is made.</summary>
internal interface ICallTransaction
{
    /// <summary>
    /// Prevents the transaction from committing. Call it before the caller learns that the call was given up.
    /// </summary>
    void Fail(string reason);
}
