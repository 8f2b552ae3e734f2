namespace ScalableTimers.Tests.Documentation;

/// <summary>bench/run-all.sh takes every file of results again.</summary>
public class ResultFileTests
{
    private const string Marker = "<!-- figures -->";

    [Fact]
    public void RunAll_KnowsEveryResultFile()
    {
        var script = File.ReadAllText(Repository.Path("bench", "run-all.sh"));
        var files = Directory.GetFiles(Repository.Path("bench", "results"), "*.md");

        Assert.NotEmpty(files);
        Assert.All(files, file => Assert.Contains(PartFor(file), script, StringComparison.Ordinal));
        Assert.All(files, static file => Assert.Single(File.ReadLines(file), static line => line == Marker));
    }

    private static string PartFor(string file) => $"\npart_{Path.GetFileNameWithoutExtension(file)}() ";
}
