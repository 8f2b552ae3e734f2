using System.Globalization;
using System.Xml.Linq;
using ScalableTimers.Compare.Charts;

namespace ScalableTimers.Tests.Documentation;

/// <summary>The charts of the docs show the stored results.</summary>
public class ChartTests
{
    [Fact]
    public void Charts_OfTheDocs_ShowTheResults()
    {
        var complaints = new List<string>();
        foreach (var (path, svg) in AllCharts.Draw(Repository.Root, complaints.Add))
        {
            Assert.True(
                File.Exists(path) && File.ReadAllText(path) == svg,
                $"docs/images/{Path.GetFileName(path)} is not what the results give: draw it again (bench/README.md).");
        }

        Assert.Empty(complaints);
    }

    [Fact]
    public void Draw_WithoutResults_ComplainsOfChartsThatTheDocsHave()
    {
        var root = Directory.CreateTempSubdirectory();
        try
        {
            var images = root.CreateSubdirectory("docs").CreateSubdirectory("images");
            File.WriteAllText(Path.Combine(images.FullName, "cost-by-pace.svg"), "old");

            var complaints = new List<string>();
            Assert.Empty(AllCharts.Draw(root.FullName, complaints.Add));
            Assert.Equal(["docs/images/cost-by-pace.svg: there is no paced.md."], complaints);
        }
        finally
        {
            root.Delete(recursive: true);
        }
    }

    [Fact]
    public void ToSvg_TextWithMarkup_IsXmlWithTheText()
    {
        var chart = new BarChart("a < b & c", [new BarGroup("<first>", [("one", 1, "1"), ("two", 2, "2")])]);

        var texts = XDocument.Parse(chart.ToSvg()).Descendants()
            .Where(static element => element.Name.LocalName == "text")
            .Select(static element => element.Value);

        Assert.Equal(["a < b & c", "<first>", "one", "1", "two", "2"], texts);
    }

    [Fact]
    public void ToSvg_TwiceTheValue_HasTwiceTheLength()
    {
        var chart = new BarChart("title", [new BarGroup("group", [("one", 1, "1"), ("two", 2, "2")])]);

        var lengths = XDocument.Parse(chart.ToSvg()).Descendants()
            .Where(static element => element.Name.LocalName == "rect" && element.Attribute("stroke") is not null)
            .Select(static element => (double)element.Attribute("width")!)
            .ToList();

        Assert.Equal(2, lengths[1] / lengths[0]);
    }

    [Fact]
    public void LineChart_TwiceTheValue_IsEquallyFarEverywhere()
    {
        var heights = Markers(new LineChart("title", ["a", "b", "c"], [new LineSeries("one", [10, 20, 40])]))
            .Select(static marker => marker.Y)
            .ToList();

        Assert.Equal(heights[0] - heights[1], heights[1] - heights[2], tolerance: 0.2);
        Assert.True(heights[0] > heights[1]);
    }

    [Fact]
    public void LineChart_LinesThatEndTogether_HaveNamesApartFromOneAnother()
    {
        string[] names = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
        var chart = new LineChart("title", ["a", "b"], [.. names.Select(static name => new LineSeries(name, [1, 3]))]);

        var labels = XDocument.Parse(chart.ToSvg()).Descendants()
            .Where(element => element.Name.LocalName == "text" && names.Contains(element.Value.Split(':')[0]))
            .Select(static element => (double)element.Attribute("y")!)
            .Order()
            .ToList();

        Assert.Equal(names.Length, labels.Count);
        Assert.All(labels.Zip(labels.Skip(1)), static pair => Assert.InRange(pair.Second - pair.First, 14, 20));
    }

    [Fact]
    public void LineChart_EightLines_HaveDifferentMarkers()
    {
        var chart = new LineChart(
            "title", ["a"], [.. Enumerable.Range(1, 8).Select(static i => new LineSeries($"{i}", [i]))]);

        // One at the end of the line and one at the name.
        Assert.All(
            Markers(chart).GroupBy(static marker => marker.Look), static same => Assert.Equal(2, same.Count()));
    }

    private static IEnumerable<(double Y, string Look)> Markers(LineChart chart) =>
        from element in XDocument.Parse(chart.ToSvg()).Descendants()
        let transform = (string?)element.Attribute("transform")
        where transform is not null
        select (
            double.Parse(transform.Split(' ')[1].TrimEnd(')'), CultureInfo.InvariantCulture),
            $"{(string?)element.Attribute("d")} {(string?)element.Attribute("fill")}");
}
