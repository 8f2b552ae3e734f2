namespace TransactionsDemo.Embedded;

/// <summary>
/// The kinds of requests between actors. An account or log that gets a request again only answers it again.
/// </summary>
internal enum RequestKind
{
    /// <summary>To an account: lock it for a transaction.</summary>
    Lock,

    /// <summary>To an account: promise to commit when asked to.</summary>
    Prepare,

    /// <summary>To an account: the transaction has been committed.</summary>
    Confirm,

    /// <summary>To an account: forget the transaction.</summary>
    Abort,

    /// <summary>To the decision log: commit the transaction, unless it has been given up.</summary>
    Decide,

    /// <summary>To the decision log: has it been committed? If not yet, it never will be.</summary>
    Inquire,

    /// <summary>To the decision log: nobody will inquire any more.</summary>
    Forget,
}
