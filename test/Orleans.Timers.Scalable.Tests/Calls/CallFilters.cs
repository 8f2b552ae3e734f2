namespace Orleans.Timers.Scalable.Tests;

/// <summary>Filters that an application may have. They only act in tests that ask for it.</summary>
internal static class CallFilters
{
    /// <summary>The gate at which the calls of a test wait before they are made.</summary>
    internal static AsyncLocal<Gate?> Waits { get; } = new();

    /// <summary>Makes an answered call of a test repeat, with another gate.</summary>
    internal static AsyncLocal<Guid?> RepeatsAnswered { get; } = new();

    internal static async Task Repeat(IOutgoingGrainCallContext call)
    {
        await call.Invoke();
        if (RepeatsAnswered.Value is { } gate && call.MethodName == nameof(IAccountGrain.AddSoonAfter))
        {
            call.Request.SetArgument(1, gate);
            await call.Invoke();
        }
    }

    /// <summary>Delays a call before it is made, as a limiter does.</summary>
    internal static async Task Wait(IOutgoingGrainCallContext call)
    {
        if (Waits.Value is { } gate)
        {
            gate.Arrived();
            await gate.Opened.WaitAsync(call.Request.GetCancellationToken());
        }

        await call.Invoke();
    }
}
