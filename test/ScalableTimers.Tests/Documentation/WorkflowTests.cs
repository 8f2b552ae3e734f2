using System.Text.RegularExpressions;

namespace ScalableTimers.Tests.Documentation;

/// <summary>What the workflows of <c>.github</c>, which only run elsewhere, ask of the repository exists.</summary>
public sealed partial class WorkflowTests
{
    // Seen to fail with a script and an option that do not exist, and without a version of an action.
    [Fact]
    public void Scripts_AndTheirOptions_Exist()
    {
        var calls = Workflows().Append(File.ReadAllText(Repository.Path(".ci", "run")))
            .SelectMany(static text => Calls.Matches(text))
            .ToList();

        Assert.Contains(calls, static call => call.Groups["script"].Value == "test.sh");
        Assert.All(calls, static call =>
        {
            var script = Repository.Path(call.Groups["script"].Value);
            Assert.True(File.Exists(script), call.Value);
            Assert.All(
                Options.Matches(call.Groups["arguments"].Value),
                option => Assert.Contains($"{option.Value})", File.ReadAllText(script), StringComparison.Ordinal));
        });
    }

    [Fact]
    public void Actions_HaveAVersion_AndJobsFewRights() =>
        Assert.All(Workflows(), static text =>
        {
            Assert.All(Uses.Matches(text), static use => Assert.Matches("@v[0-9]+$", use.Value));
            Assert.Contains("\npermissions:\n  contents: read\n", text, StringComparison.Ordinal);
        });

    private static IEnumerable<string> Workflows() =>
        Directory.EnumerateFiles(Repository.Path(".github", "workflows")).Select(File.ReadAllText);

    /// <summary>The demo's options are not in its script, and a tool reads them.</summary>
    [GeneratedRegex(
        """(?:\./|\$root/|(?<=[ :]))(?<script>(?:eng/|\.ci/)[\w-]+(?:\.sh)?|test\.sh)\b"?(?<arguments>[^\n]*)""")]
    private static partial Regex Calls { get; }

    [GeneratedRegex(@"--[a-z]+")]
    private static partial Regex Options { get; }

    [GeneratedRegex(@"(?<=uses: )\S+")]
    private static partial Regex Uses { get; }
}
