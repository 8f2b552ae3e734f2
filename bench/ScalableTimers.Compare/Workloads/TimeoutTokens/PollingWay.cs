namespace ScalableTimers.Compare.Workloads.TimeoutTokens;

/// <summary>A way to give requests their timeouts.</summary>
/// <param name="Name">In tables.</param>
/// <param name="Poll">Sends a request. Returns whether it was uploaded before its timeout.</param>
/// <param name="Owned">The object that is disposed after the last round; null for none.</param>
internal sealed record PollingWay(string Name, Func<Upload, TimeSpan, Task<bool>> Poll, IDisposable? Owned = null);
