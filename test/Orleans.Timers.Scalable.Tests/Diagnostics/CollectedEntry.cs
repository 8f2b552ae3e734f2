namespace Orleans.Timers.Scalable.Tests;

internal sealed record CollectedEntry(string Text, IReadOnlyDictionary<string, object?> Fields);
