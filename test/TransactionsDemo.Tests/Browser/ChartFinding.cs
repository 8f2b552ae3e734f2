namespace TransactionsDemo.Tests.Browser;

/// <summary>A chart as a browser has drawn it.</summary>
/// <param name="Title">Its name.</param>
/// <param name="DataPaths">How many lines, marks and bars have a length.</param>
/// <param name="EmptyPaths">How many have none, or coordinates that are no numbers.</param>
/// <param name="Dashes">How many kinds of dashes its lines have.</param>
internal sealed record ChartFinding(string Title, int DataPaths, int EmptyPaths, int Dashes);
