using System.Text.Json;
using System.Text.Json.Nodes;

namespace TransactionsDemo.Tests.Browser;

/// <summary>Loads a page in a real browser, and looks at what came of it.</summary>
internal static class PageCheck
{
    /// <summary>Paths by the length that the browser itself finds them to have.</summary>
    private const string LookAtCharts = """
        JSON.stringify([...document.querySelectorAll('svg.chart')].map(chart => {
          const paths = [...chart.querySelectorAll('path.line, path.mark, path.bar')];
          const drawn = paths.filter(path => path.getTotalLength() > 0 && !/NaN|Infinity/.test(path.getAttribute('d')));
          const lines = [...chart.querySelectorAll('path.line')];
          return {
            title: chart.getAttribute('aria-label'),
            dataPaths: drawn.length,
            emptyPaths: paths.length - drawn.length,
            dashes: new Set(lines.map(line => line.getAttribute('stroke-dasharray'))).size,
          };
        }))
        """;

    public static async Task<PageFindings> RunAsync(FileInfo file)
    {
        await using var browser = await Chromium.StartAsync();
        await using var tools = new DevTools();
        await tools.ConnectAsync(browser.Address);
        await AttachAsync(tools);
        var address = new Uri(file.FullName).AbsoluteUri;
        await tools.SendAsync("Page.navigate", new JsonObject { ["url"] = address });
        await tools.Loaded.WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
        var charts = await EvaluateAsync(tools, LookAtCharts);
        var text = await EvaluateAsync(tools, "document.body.innerText");
        return new PageFindings(
            [.. tools.Events.Select(ErrorOf).OfType<string>()],
            [.. tools.Events.Select(RequestOf).OfType<string>().Where(request => request != address)],
            JsonSerializer.Deserialize<ChartFinding[]>(charts, JsonSerializerOptions.Web)!,
            text);
    }

    private static async Task AttachAsync(DevTools tools)
    {
        var target = await tools.SendAsync("Target.createTarget", new JsonObject { ["url"] = "about:blank" });
        var session = await tools.SendAsync(
            "Target.attachToTarget",
            new JsonObject { ["targetId"] = target["targetId"]!.GetValue<string>(), ["flatten"] = true });
        tools.Session = session["sessionId"]!.GetValue<string>();
        foreach (var domain in new[] { "Network", "Log", "Runtime", "Page" })
        {
            await tools.SendAsync($"{domain}.enable");
        }
    }

    private static async Task<string> EvaluateAsync(DevTools tools, string expression)
    {
        var answer = await tools.SendAsync("Runtime.evaluate", new JsonObject { ["expression"] = expression });
        return answer["result"]!["value"]?.GetValue<string>()
            ?? throw new InvalidOperationException(answer.ToJsonString());
    }

    private static string? ErrorOf(JsonNode message) => message["method"]!.GetValue<string>() switch
    {
        "Log.entryAdded" or "Runtime.consoleAPICalled" or "Runtime.exceptionThrown" =>
            message["params"]!.ToJsonString(),
        _ => null,
    };

    private static string? RequestOf(JsonNode message) =>
        message["method"]!.GetValue<string>() == "Network.requestWillBeSent"
            ? message["params"]!["request"]!["url"]!.GetValue<string>()
            : null;
}
