using System.Globalization;
using Orleans.Storage;

namespace TransactionsDemo.OnOrleans;

/// <summary>
/// Keeps each state in its own folder, so that it outlives the process that wrote it. Nothing waits for a disk. It is
/// for the demo only.
/// </summary>
/// <remarks>
/// A state is replaced by renaming, so it is never half written, even if its silo is killed. Renaming happens under a
/// lock of the operating system, which ends with the process that holds it. So of two activations in two silos, only
/// one can write after the same version.
/// </remarks>
internal sealed class FileGrainStorage(string folder, IGrainStorageSerializer serializer) : IGrainStorage
{
    private const int VersionLength = sizeof(long);
    private const string StateFile = "state";

    public Task ReadStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        var file = Path.Combine(FolderOf(stateName, grainId), StateFile);
        if (!File.Exists(file))
        {
            (grainState.ETag, grainState.RecordExists, grainState.State) = (null, false, Activator.CreateInstance<T>());
            return Task.CompletedTask;
        }

        // A file that is replaced meanwhile stays complete for readers that have it open.
        var content = File.ReadAllBytes(file);
        grainState.State = serializer.Deserialize<T>(new BinaryData(content.AsMemory(VersionLength)));
        grainState.ETag = TextOf(BitConverter.ToInt64(content));
        grainState.RecordExists = true;
        return Task.CompletedTask;
    }

    public async Task WriteStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        var own = Directory.CreateDirectory(FolderOf(stateName, grainId)).FullName;
        var payload = serializer.Serialize(grainState.State);
        using var guard = await LockAsync(own);
        var version = CheckVersion(own, grainState.ETag) + 1;
        var next = Path.Combine(own, "next");
        await using (var file = new FileStream(next, FileMode.Create, FileAccess.Write))
        {
            file.Write(BitConverter.GetBytes(version));
            file.Write(payload.ToMemory().Span);
        }

        File.Move(next, Path.Combine(own, StateFile), overwrite: true);
        (grainState.ETag, grainState.RecordExists) = (TextOf(version), true);
    }

    public async Task ClearStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        var own = Directory.CreateDirectory(FolderOf(stateName, grainId)).FullName;
        using var guard = await LockAsync(own);
        CheckVersion(own, grainState.ETag);
        File.Delete(Path.Combine(own, StateFile));
        (grainState.ETag, grainState.RecordExists, grainState.State) = (null, false, Activator.CreateInstance<T>());
    }

    private string FolderOf(string stateName, GrainId grainId) =>
        Path.Combine(folder, stateName, Uri.EscapeDataString(grainId.ToString()));

    /// <returns>The version that is stored, 0 if none is.</returns>
    private static long CheckVersion(string own, string? expected)
    {
        var file = Path.Combine(own, StateFile);
        var stored = 0L;
        if (File.Exists(file))
        {
            using var stream = File.OpenRead(file);
            Span<byte> version = stackalloc byte[VersionLength];
            stream.ReadExactly(version);
            stored = BitConverter.ToInt64(version);
        }

        var found = stored == 0 ? null : TextOf(stored);
        return found == expected
            ? stored
            : throw new InconsistentStateException("Another activation has written the state.", found, expected);
    }

    /// <summary>Takes the lock. It is held only for moments, and hardly ever by another process.</summary>
    private static async Task<FileStream> LockAsync(string own)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return new FileStream(
                    Path.Combine(own, "lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            }
            catch (IOException) when (attempt < 1000)
            {
                await Task.Delay(TimeSpan.FromMilliseconds(5));
            }
        }
    }

    private static string TextOf(long version) => version.ToString(CultureInfo.InvariantCulture);
}
