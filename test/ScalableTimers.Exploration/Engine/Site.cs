namespace ScalableTimers.Exploration.Engine;

/// <summary>An operation's place in the sources, with the variable as it is written there.</summary>
internal readonly record struct Site(OperationKind Kind, string Variable, string File = "", int Line = 0)
{
    internal string FileName => Path.GetFileName(File);

    /// <summary>The folder without what precedes a dot: that of ScalableTimers.Statistics is Statistics.</summary>
    internal string? Folder => Path.GetFileName(Path.GetDirectoryName(File))?.Split('.')[^1];

    public override string ToString() => Line > 0 ? $"{FileName}:{Line}" : "";

    /// <summary>The text of the line, which stays the same when lines above it are added or removed.</summary>
    internal string ReadText() =>
        System.IO.File.Exists(File) && System.IO.File.ReadLines(File).ElementAtOrDefault(Line - 1) is { } text
            ? text.Trim()
            : Variable;
}
