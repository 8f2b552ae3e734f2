namespace Orleans.Timers.Scalable.Tests;

/// <summary>A call filter that lets timeouts of a flow through only when a test says so.</summary>
internal static class LateThrow
{
    internal static readonly AsyncLocal<Task?> Waits = new();

    internal static Task Invoke(IOutgoingGrainCallContext context) =>
        Waits.Value is { } wait ? Invoke(context, wait) : context.Invoke();

    private static async Task Invoke(IOutgoingGrainCallContext context, Task wait)
    {
        try
        {
            await context.Invoke();
        }
        catch (TimeoutException)
        {
            await wait;
            throw;
        }
    }
}
