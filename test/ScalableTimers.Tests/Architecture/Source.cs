using System.Text.RegularExpressions;

namespace ScalableTimers.Tests.Architecture;

/// <summary>A source file of the project.</summary>
/// <param name="Name">Its path below the given folder.</param>
/// <param name="Text">Its content.</param>
internal sealed partial record Source(string Name, string Text)
{
    /// <summary>The text without comments, with the same line numbers.</summary>
    internal string Code { get; } = Comments.Replace(Text, string.Empty);

    /// <summary>The folder as part of a namespace; empty for the root.</summary>
    internal string Folder { get; } = Path.GetDirectoryName(Name)!.Replace(Path.DirectorySeparatorChar, '.');

    /// <summary>
    /// The type that the file is named after, with its folder. Parts of one type are named Type.Part.cs.
    /// </summary>
    internal string Type => Path.Combine(Folder, Path.GetFileName(Name).Split('.')[0]);

    /// <summary>The number of lines that are neither empty nor comments.</summary>
    internal int LinesOfCode => Code.Split('\n').Count(static line => !string.IsNullOrWhiteSpace(line));

    /// <summary>The names of the types that the file declares at its top level.</summary>
    internal IEnumerable<string> DeclaredTypes =>
        Declarations.Matches(Code).Select(static match => match.Groups["name"].Value);

    /// <summary>The words of the code that may name types: not those in strings or after a dot.</summary>
    internal IReadOnlySet<string> Words =>
        WordPattern.Matches(Strings.Replace(Code, "\"\""))
            .Select(static match => match.Value)
            .ToHashSet(StringComparer.Ordinal);

    internal static IEnumerable<Source> In(params string[] folder)
    {
        var root = Repository.Path(folder);
        return Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
            .Select(file => new Source(Path.GetRelativePath(root, file), File.ReadAllText(file)))
            .Where(static source => !source.Name.StartsWith("obj", StringComparison.Ordinal))
            .Where(static source => !source.Name.StartsWith("bin", StringComparison.Ordinal));
    }

    [GeneratedRegex(@"//[^\n]*")]
    private static partial Regex Comments { get; }

    [GeneratedRegex(
        @"^(public|internal) ([a-z]+ )*?(class|struct|interface|enum|record struct|record) (?<name>\w+)",
        RegexOptions.Multiline)]
    private static partial Regex Declarations { get; }

    [GeneratedRegex("(?<!\\$)\"[^\"\\n]*\"")]
    private static partial Regex Strings { get; }

    [GeneratedRegex(@"(?<![\w.])\w+")]
    private static partial Regex WordPattern { get; }
}
