using System.Diagnostics;

namespace Orleans.Timers.Scalable;

/// <summary>Tells which type is creating a timer, from the stack.</summary>
/// <remarks>Some ten microseconds. Asked once or twice in the life of a silo or client, for timers that could be meant only.</remarks>
internal static class TimerMaker
{
    private const string RuntimeClient = "Orleans.Runtime.IRuntimeClient";

    /// <summary>The first type on the stack that is neither .NET's own nor ours; null where the stack names no types, as in programs compiled ahead of time.</summary>
    internal static Type? Find()
    {
        foreach (var frame in new StackTrace(fNeedFileInfo: false).GetFrames())
        {
            if (frame.GetMethod()?.DeclaringType is not { } type)
            {
                return null;
            }

            if (type.Assembly != typeof(object).Assembly && !typeof(TimeProvider).IsAssignableFrom(type) && type != typeof(TimerMaker))
            {
                return type;
            }
        }

        return null;
    }

    /// <summary>Whether a type sends the calls of a silo or of a client. Orleans keeps the interface to itself, hence by name.</summary>
    internal static bool IsRuntimeClient(Type type) =>
        type.GetInterfaces().Any(static implemented => implemented.FullName == RuntimeClient);
}
