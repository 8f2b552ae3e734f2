using System.Reflection;
using System.Text;

namespace ScalableTimers.Tests.PublicApi;

/// <summary>Compares the public API of an assembly with the golden file of a test project.</summary>
internal static class PublicApiBaseline
{
    private const string Accept = "UPDATE_PUBLIC_API";

    internal static void AssertAgreed(Assembly assembly, string testProject)
    {
        var name = $"PublicApi.{assembly.GetName().Name}.txt";
        var actual = PublicApiWriter.Write(assembly);
        var file = Repository.Path("test", testProject, name);
        if (Environment.GetEnvironmentVariable(Accept) == "1")
        {
            File.WriteAllText(file, actual);
        }

        var agreed = File.Exists(file) ? File.ReadAllText(file).ReplaceLineEndings("\n") : string.Empty;
        if (agreed != actual)
        {
            Assert.Fail(
                $"The public surface of {assembly.GetName().Name} is not what {name} "
                + $"says:\n\n{Difference(agreed, actual)}\nIf that is intended, run the tests with {Accept}=1 and "
                + "commit the file.");
        }
    }

    /// <summary>Removed and added lines, each below the type that it belongs to.</summary>
    private static string Difference(string agreed, string actual)
    {
        var before = Lines(agreed);
        var after = Lines(actual);
        var text = new StringBuilder();
        foreach (
            var line in before.Except(after)
                .Select(static line => (Sign: '-', line.Type, line.Text))
                .Concat(after.Except(before).Select(static line => (Sign: '+', line.Type, line.Text)))
                .OrderBy(static line => line.Type, StringComparer.Ordinal))
        {
            text.Append(line.Sign)
                .Append(' ')
                .Append(line.Type)
                .Append(line.Type == line.Text ? string.Empty : ": " + line.Text.Trim())
                .Append('\n');
        }

        return text.Length == 0 ? "The same lines in another order.\n" : text.ToString();
    }

    private static List<(string Type, string Text)> Lines(string api)
    {
        var lines = new List<(string Type, string Text)>();
        var type = string.Empty;
        foreach (var line in api.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            type = line.StartsWith(' ') ? type : line;
            lines.Add((type, line));
        }

        return lines;
    }
}
