using System.Runtime.CompilerServices;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Delays calls before they are made, as a limiter does, if a test says so.</summary>
internal static class WaitingFilter
{
    /// <summary>The gate for which the calls of a test wait.</summary>
    internal static AsyncLocal<Gate?> Waits { get; } = new();

    /// <summary>Counts how often the filter is entered for the calls of a test.</summary>
    internal static AsyncLocal<StrongBox<int>?> Entered { get; } = new();

    internal static async Task Invoke(IOutgoingGrainCallContext call)
    {
        if (Waits.Value is { } gate)
        {
            Interlocked.Increment(ref (Entered.Value ??= new StrongBox<int>()).Value);
            gate.Arrived();
            await gate.Opened.WaitAsync(call.Request.GetCancellationToken());
        }

        await call.Invoke();
    }
}
