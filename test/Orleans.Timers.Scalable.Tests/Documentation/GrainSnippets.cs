namespace Orleans.Timers.Scalable.Tests.Documentation;

public interface IRefreshingGrain : IGrainWithIntegerKey
{
    Task<string> Fetch(Uri address);
}

public sealed class RefreshingGrain(IGrainDelay delay) : Grain, IRefreshingGrain
{
    private Task _refreshing = Task.CompletedTask;

    public override Task OnActivateAsync(CancellationToken cancellationToken)
    {
        _refreshing = RefreshEveryMinute();
        return Task.CompletedTask;
    }

    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken) =>
        _refreshing.WaitAsync(cancellationToken);

    private async Task RefreshEveryMinute()
    {
        while (await delay.TryDelay(TimeSpan.FromMinutes(1)))
        {
            await Refresh();
        }
    }

    public async Task<string> Fetch(Uri address) =>
        await s_http.GetStringAsync(address, delay.DeactivationToken);

    private static readonly HttpClient s_http = new();

    private static Task Refresh() => Task.CompletedTask;
}
