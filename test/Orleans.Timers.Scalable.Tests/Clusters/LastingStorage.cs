using System.Collections.Concurrent;
using System.Globalization;
using Orleans.Serialization;
using Orleans.Storage;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Keeps written state when silos are killed. Memory storage does not, because it consists of grains.
/// </summary>
internal sealed class LastingStorage(
    ConcurrentDictionary<(string State, GrainId Grain), (byte[] Bytes, int Version)> entries, Serializer serializer)
    : IGrainStorage
{
    public Task ReadStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        if (entries.TryGetValue((stateName, grainId), out var entry))
        {
            grainState.State = serializer.Deserialize<T>(entry.Bytes);
            grainState.ETag = entry.Version.ToString(CultureInfo.InvariantCulture);
            grainState.RecordExists = true;
        }

        return Task.CompletedTask;
    }

    public async Task WriteStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        await Task.Yield();
        var bytes = serializer.SerializeToArray(grainState.State);
        var expected = grainState.ETag is null ? 0 : int.Parse(grainState.ETag, CultureInfo.InvariantCulture);
        var written = entries.AddOrUpdate(
            (stateName, grainId), (bytes, 1), (_, entry) => entry.Version == expected ? (bytes, expected + 1) : entry);
        if (!ReferenceEquals(written.Bytes, bytes))
        {
            throw new InconsistentStateException(
                $"{grainId} was written by another.",
                written.Version.ToString(CultureInfo.InvariantCulture),
                grainState.ETag);
        }

        grainState.ETag = written.Version.ToString(CultureInfo.InvariantCulture);
        grainState.RecordExists = true;
    }

    public Task ClearStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState) =>
        throw new NotSupportedException();
}
