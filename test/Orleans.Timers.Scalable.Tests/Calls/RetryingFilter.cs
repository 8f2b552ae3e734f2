namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Calls again where a call has timed out, or the callee has asked for it by an exception that says where to wait then.
/// </summary>
internal static class RetryingFilter
{
    internal static async Task Invoke(IOutgoingGrainCallContext call)
    {
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
}
