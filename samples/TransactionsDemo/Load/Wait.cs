using System.Text.Json.Serialization;

namespace TransactionsDemo.Load;

/// <summary>A wait under load.</summary>
internal sealed record Wait(WaitKind Kind, double AskedMilliseconds, double TookMilliseconds)
{
    /// <summary>Negative if it ended too early.</summary>
    [JsonIgnore]
    public double LatenessMilliseconds => TookMilliseconds - AskedMilliseconds;
}
