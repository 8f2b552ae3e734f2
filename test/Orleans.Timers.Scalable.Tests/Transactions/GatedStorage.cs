using Orleans.Storage;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A storage whose writes a test can delay.</summary>
internal sealed class GatedStorage(IGrainStorage storage, StorageGate gate) : IGrainStorage
{
    public Task ReadStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState) =>
        storage.ReadStateAsync(stateName, grainId, grainState);

    public async Task WriteStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        await gate.Pass(grainId);
        await storage.WriteStateAsync(stateName, grainId, grainState);
    }

    public Task ClearStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState) =>
        storage.ClearStateAsync(stateName, grainId, grainState);
}
