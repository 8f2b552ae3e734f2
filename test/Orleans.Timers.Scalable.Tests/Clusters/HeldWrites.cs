using System.Collections.Concurrent;
using Orleans.Storage;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Delays the calls by which Orleans' memory storage writes the state of chosen grains.</summary>
internal static class HeldWrites
{
    private static readonly ConcurrentDictionary<string, Held> s_held = new();

    /// <summary>Lets some more writes of a grain pass, and delays others until the gate is opened.</summary>
    internal static void Hold(GrainId grain, Gate gate, int pass = 0) => s_held[$"/{grain}"] = new Held(gate, pass);

    internal static void Release(GrainId grain)
    {
        if (s_held.TryRemove($"/{grain}", out var held))
        {
            held.Gate.Open(0);
        }
    }

    /// <summary>A filter for silos.</summary>
    internal static async Task Pass(IIncomingGrainCallContext call)
    {
        if (call.Request.GetInterfaceType() == typeof(IMemoryStorageGrain)
            && call.MethodName.StartsWith("Write", StringComparison.Ordinal)
            && call.Request.GetArgument(0) is string key
            && s_held.FirstOrDefault(held => key.EndsWith(held.Key, StringComparison.Ordinal)).Value is { } found
            && found.Takes())
        {
            found.Gate.Arrived();
            await found.Gate.Opened;
        }

        await call.Invoke();
    }

    private sealed class Held(Gate gate, int pass)
    {
        private int _pass = pass;

        internal Gate Gate => gate;

        internal bool Takes() => Interlocked.Decrement(ref _pass) < 0;
    }
}
