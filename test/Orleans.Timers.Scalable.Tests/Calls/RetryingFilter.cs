using System.Runtime.CompilerServices;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Repeats a call that has timed out, or whose callee has asked for it by an exception that names the gate to wait for.
/// </summary>
internal static class RetryingFilter
{
    /// <summary>Counts how often the filter is entered for the calls of a test.</summary>
    internal static AsyncLocal<StrongBox<int>?> Entered { get; } = new();

    internal static async Task Invoke(IOutgoingGrainCallContext call)
    {
        Count();
        try
        {
            await call.Invoke();
        }
        catch (TimeoutException)
        {
            await call.Invoke();
        }
        catch (InvalidTimeZoneException again)
        {
            call.Request.SetArgument(0, Guid.Parse(again.Message));
            await call.Invoke();
        }
    }

    private static void Count()
    {
        if (Entered.Value is { } entered)
        {
            Interlocked.Increment(ref entered.Value);
        }
    }
}
