namespace TransactionsDemo.Report;

/// <summary>How a process that runs a round tells the one that has started it how far it is.</summary>
internal static class ProgressLine
{
    /// <summary>The option that makes it tell.</summary>
    public const string Option = "--progress-lines";

    private const string Start = "progress: ";

    public static string Write(string state) => Start + state;

    public static bool TryRead(string line, out string state)
    {
        var isProgress = line.StartsWith(Start, StringComparison.Ordinal);
        state = isProgress ? line[Start.Length..] : string.Empty;
        return isProgress;
    }
}
