using System.Xml.Linq;
using ScalableTimers.Compare.Charts;

namespace ScalableTimers.Tests.Documentation;

/// <summary>The charts of the docs show the stored results.</summary>
public class ChartTests
{
    [Fact]
    public void Charts_OfTheDocs_ShowTheResults()
    {
        foreach (var (name, svg) in AllCharts.Draw(Repository.Path("bench", "results")))
        {
            Assert.True(
                File.ReadAllText(Repository.Path("docs", "images", name)) == svg,
                $"docs/images/{name} is not what the results give: draw it again (bench/README.md).");
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
}
