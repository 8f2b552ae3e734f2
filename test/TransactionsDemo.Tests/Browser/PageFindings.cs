namespace TransactionsDemo.Tests.Browser;

/// <summary>What a browser has seen of a page.</summary>
/// <param name="Errors">What it wrote to its console, or found wrong.</param>
/// <param name="Requests">Each address that it asked for, besides the page's own.</param>
/// <param name="Charts">The pictures in it.</param>
/// <param name="Text">What can be read on it.</param>
internal sealed record PageFindings(
    IReadOnlyList<string> Errors, IReadOnlyList<string> Requests, IReadOnlyList<ChartFinding> Charts, string Text);
