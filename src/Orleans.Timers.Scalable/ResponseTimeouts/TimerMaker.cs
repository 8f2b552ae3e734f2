using System.Diagnostics;

namespace Orleans.Timers.Scalable;

/// <summary>Tells which type is creating a timer, from the stack.</summary>
/// <remarks>
/// It takes some ten microseconds, once or twice in the life of a silo or client, only for timers that may be the right
/// one.
/// </remarks>
internal static class TimerMaker
{
    private const string RuntimeClient = "Orleans.Runtime.IRuntimeClient";

    /// <summary>
    /// Returns the first type on the stack that is neither .NET's nor the plugin's; null if the stack names no types,
    /// as in programs that are compiled ahead of time.
    /// </summary>
    internal static Type? Find()
    {
        foreach (var frame in new StackTrace(fNeedFileInfo: false).GetFrames())
        {
            if (frame.GetMethod()?.DeclaringType is not { } type)
            {
                return null;
            }

            if (type.Assembly != typeof(object).Assembly
                && !typeof(TimeProvider).IsAssignableFrom(type)
                && type != typeof(TimerMaker))
            {
                return type;
            }
        }

        return null;
    }

    /// <summary>
    /// Whether a type sends the calls of a silo or of a client. The interface is internal to Orleans, so it is compared
    /// by name.
    /// </summary>
    internal static bool IsRuntimeClient(Type type) =>
        type.GetInterfaces().Any(static implemented => implemented.FullName == RuntimeClient);
}
