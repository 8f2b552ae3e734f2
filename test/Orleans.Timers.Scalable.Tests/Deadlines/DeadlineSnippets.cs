namespace Orleans.Timers.Scalable.Tests;

/// <summary>The code of the page about deadlines.</summary>
internal static class DeadlineSnippets
{
    internal static void Configure(ISiloBuilder siloBuilder, IClientBuilder clientBuilder)
    {
        siloBuilder.AddCallCancellation();
        clientBuilder.AddCallCancellation();
    }

    internal static async Task<string> CallInTime(IClusterClient client)
    {
        using (CallDeadline.Begin(TimeSpan.FromSeconds(2)))
        {
            return await client.GetGrain<IQuoteGrain>(0).Quote("ORLN", CancellationToken.None);
        }
    }
}

public interface IQuoteGrain : IGrainWithIntegerKey
{
    Task<string> Quote(string symbol, CancellationToken cancellationToken);
}

public interface IExchangeGrain : IGrainWithStringKey
{
    Task<string> Ask(CancellationToken cancellationToken);
}

public sealed class QuoteGrain : Grain, IQuoteGrain
{
    private string _last = "";

    public async Task<string> Quote(string symbol, CancellationToken cancellationToken)
    {
        if (CallDeadline.Remaining < TimeSpan.FromMilliseconds(50))
        {
            return _last;
        }

        _last = await GrainFactory.GetGrain<IExchangeGrain>(symbol).Ask(cancellationToken);
        using (CallDeadline.Suppress())
        {
            await Save(_last);
        }

        return _last;
    }

    private static Task Save(string quote) =>
        quote.Length > 0 ? Task.Delay(TimeSpan.FromMilliseconds(1)) : Task.CompletedTask;
}
