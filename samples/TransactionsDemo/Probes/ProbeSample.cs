using System.Text.Json.Serialization;

namespace TransactionsDemo.Probes;

/// <summary>A time that was asked for under load, and the one that was got.</summary>
internal sealed record ProbeSample(ProbeKind Kind, double AskedMilliseconds, double GotMilliseconds)
{
    /// <summary>Negative if it ended too early.</summary>
    [JsonIgnore]
    public double LatenessMilliseconds => GotMilliseconds - AskedMilliseconds;

    [JsonIgnore]
    public bool IsEarly => LatenessMilliseconds < 0;
}
