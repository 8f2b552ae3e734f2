namespace ScalableTimers.Exploration.Engine;

/// <summary>An operation's place in the sources.</summary>
/// <param name="Kind">What it does.</param>
/// <param name="Variable">To which variable, as the source says it.</param>
/// <param name="File">The path of the source.</param>
/// <param name="Line">The line.</param>
internal readonly record struct Site(OperationKind Kind, string Variable, string File, int Line)
{
    /// <summary>Whether it touches one variable or lock that the engine can tell from all others.</summary>
    internal bool IsOnVariable =>
        Kind <= OperationKind.Add || Kind is OperationKind.EnterLock or OperationKind.ExitLock;

    internal string FileName => Path.GetFileName(File);

    public override string ToString() => $"{FileName}:{Line}";

    /// <summary>The text of the line, which stays when lines above it come or go.</summary>
    internal string ReadText() =>
        System.IO.File.Exists(File) && System.IO.File.ReadLines(File).ElementAtOrDefault(Line - 1) is { } text
            ? text.Trim()
            : Variable;
}
