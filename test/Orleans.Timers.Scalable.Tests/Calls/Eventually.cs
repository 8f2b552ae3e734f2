using System.Diagnostics;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Waits for changes inside Orleans that raise no event a test could await.</summary>
internal static class Eventually
{
    internal static async Task True(Func<bool> condition, string awaited)
    {
        var start = Stopwatch.GetTimestamp();
        while (!condition())
        {
            Assert.True(
                Stopwatch.GetElapsedTime(start) < HangGuard.Limit,
                $"Waited {HangGuard.Limit.TotalSeconds} s for this, which did not happen: {awaited}.");
            await Task.Delay(5, TestContext.Current.CancellationToken);
        }
    }
}
