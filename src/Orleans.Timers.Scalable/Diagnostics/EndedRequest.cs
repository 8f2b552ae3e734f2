namespace Orleans.Timers.Scalable;

/// <summary>A request that ran long.</summary>
/// <param name="Target">The grain that ran it.</param>
/// <param name="Sender">Who sent it.</param>
/// <param name="Id">The number of its message; null if Orleans' internals are not as expected.</param>
/// <param name="Method">The interface and the method.</param>
/// <param name="Ran">How long it ran.</param>
/// <param name="End">The timestamp of its end.</param>
internal sealed record EndedRequest(
    GrainId Target, string? Sender, string? Id, string Method, TimeSpan Ran, long End);
