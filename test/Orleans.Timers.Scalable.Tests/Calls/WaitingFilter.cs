using System.Runtime.CompilerServices;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Holds calls up before they are made, as a limiter does, where a test says so.</summary>
internal static class WaitingFilter
{
    /// <summary>What the calls of a test wait for.</summary>
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
