using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable;

#pragma warning disable SYSLIB1015 // What a text does not name is a field of the entry all the same.
/// <content>The two entries, of which each ended call gets one.</content>
internal sealed partial class CallDiagnostics
{
    [LoggerMessage(
        1, LogLevel.Warning, "A {Cause} ended {Service}.{Method} to {Target} after {Elapsed}. {Explanation}")]
    private partial void LogTimeout(
        string cause,
        string service,
        string method,
        string target,
        string elapsed,
        string explanation,
        string? silo,
        double? queuedSeconds,
        double? ranSeconds,
        string? blocker,
        double? blockerSeconds,
        int? forwards,
        int? retries);

    [LoggerMessage(
        2, LogLevel.Warning, "A deadline ended {Service}.{Method} to {Target} at its {Side}. {Explanation}")]
    private partial void LogRefusal(
        string side, string service, string method, string target, string explanation, double? queuedSeconds);
}
#pragma warning restore SYSLIB1015
