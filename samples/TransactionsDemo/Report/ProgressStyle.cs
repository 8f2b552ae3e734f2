namespace TransactionsDemo.Report;

/// <summary>What is shown of progress where there is no terminal.</summary>
internal enum ProgressStyle
{
    /// <summary>A line now and then, and one at the end of each step.</summary>
    NowAndThen,

    /// <summary>Every change, for another process, and a line at the end of each step.</summary>
    EveryChange,

    /// <summary>Nothing: what is written is a table of its own.</summary>
    Nothing,
}
