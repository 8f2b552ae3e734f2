using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests.Documentation;

/// <summary>The code of the page on response timeouts.</summary>
internal static class CallTimeoutSnippets
{
    internal static async Task<int> Abandon(TimerService timers, IPriceGrain grain)
    {
        var price = await timers.WithTimeout(grain.GetPrice(), TimeSpan.FromMilliseconds(200));
        return price;
    }

    internal static async Task<int> Cancel(TimerService timers, IPriceGrain grain)
    {
        var price = await timers.WithTimeout(token => grain.FindPrice(token), TimeSpan.FromMilliseconds(200));
        return price;
    }
}

public interface IPriceGrain : IGrainWithIntegerKey
{
    Task<int> GetPrice();

    Task<int> FindPrice(CancellationToken cancellationToken);
}
