using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain that runs one request until this is disposed.</summary>
internal sealed class BusyGrain : IAsyncDisposable
{
    private readonly TaskCompletionSource _release = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _call = Task.CompletedTask;

    private BusyGrain(IDiagnosedGrain grain) => Grain = grain;

    internal IDiagnosedGrain Grain { get; }

    internal static async Task<BusyGrain> Begin(InProcessSiloHandle silo, Guid id)
    {
        var busy = new BusyGrain(silo.Grains().GetGrain<IDiagnosedGrain>(id));
        busy._call = await busy.Grain.BeginWait(_ => new ValueTask(busy._release.Task));
        return busy;
    }

    public async ValueTask DisposeAsync()
    {
        _release.TrySetResult();

        // Its silo may have been killed, so the request may fail.
        await Task.WhenAny(_call).Guarded("the blocking request ends");
    }
}
