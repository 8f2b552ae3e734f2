using System.Text.Json;
using System.Text.Json.Serialization;

namespace Orleans.Timers.Scalable;

/// <summary>Turns questions about calls and their answers into JSON text and back.</summary>
/// <remarks>
/// Silos of different versions understand each other, because they ignore what they do not know. Orleans' own
/// serializers would need types that both sides have.
/// </remarks>
[JsonSerializable(typeof(SentCall))]
[JsonSerializable(typeof(CallReport))]
internal sealed partial class CallReportJson : JsonSerializerContext
{
    internal static string Write(SentCall call) => JsonSerializer.Serialize(call, Default.SentCall);

    internal static string Write(CallReport report) => JsonSerializer.Serialize(report, Default.CallReport);

    internal static SentCall ReadCall(string text) => JsonSerializer.Deserialize(text, Default.SentCall)!;

    internal static CallReport ReadReport(string text) => JsonSerializer.Deserialize(text, Default.CallReport)!;
}
