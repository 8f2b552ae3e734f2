using System.Diagnostics;
using Orleans.Serialization.Invocation;

namespace Orleans.Timers.Scalable;

/// <summary>A call that a timeout or a deadline has ended, as its caller knows it.</summary>
/// <param name="Cause">One of the constants of this class.</param>
/// <param name="Request">The request; null if which call it was is not known.</param>
/// <param name="Target">The grain that was called.</param>
/// <param name="Sent">The message; null if it is not known or was not sent.</param>
/// <param name="Elapsed">How long the caller has waited.</param>
/// <param name="Timeout">How long it was to wait; null if that is not known.</param>
/// <param name="Activity">The caller's span; null if it has none.</param>
internal sealed record TimedOutCall(
    string Cause,
    IInvokable? Request,
    string Target,
    SentCall? Sent,
    TimeSpan? Elapsed,
    TimeSpan? Timeout,
    Activity? Activity)
{
    internal const string ResponseTimeout = "response_timeout";
    internal const string CallTimeout = "call_timeout";
    internal const string Deadline = "deadline";

    /// <summary>Gets how long ago the call began; null if that is not known.</summary>
    internal TimeSpan? Age { get; init; } = Elapsed;

    internal string Interface => Request?.GetInterfaceName() ?? CallExplanation.NotKnown;

    internal string Method => Request?.GetMethodName() ?? CallExplanation.NotKnown;
}
