using ScalableTimers.Compare.Reporting;

namespace ScalableTimers.Tests.Documentation;

/// <summary>README and docs show the tables of the stored results.</summary>
public class ResultTableTests
{
    [Fact]
    public void Pages_HaveTheTablesOfTheResults()
    {
        var others = new ResultTables(Repository.Root).Pages()
            .Where(static page => File.ReadAllText(page.Path) != page.Text)
            .Select(static page => Path.GetFileName(page.Path));

        // To copy them again: dotnet run -c Release --project bench/ScalableTimers.Compare -- --docs .
        Assert.Empty(others);
    }
}
