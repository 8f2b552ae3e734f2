using System.Collections.Concurrent;
using Orleans.Storage;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Delays the calls by which Orleans' memory storage writes the state of chosen grains.</summary>
internal static class HeldWrites
{
    private static readonly ConcurrentDictionary<string, Gate> s_gates = new();

    /// <summary>Delays the writes of a grain until the gate is opened.</summary>
    internal static void Hold(GrainId grain, Gate gate) => s_gates[$"/{grain}"] = gate;

    internal static void Release(GrainId grain)
    {
        if (s_gates.TryRemove($"/{grain}", out var gate))
        {
            gate.Open(0);
        }
    }

    /// <summary>A filter for silos.</summary>
    internal static async Task Pass(IIncomingGrainCallContext call)
    {
        if (call.Request.GetInterfaceType() == typeof(IMemoryStorageGrain)
            && call.MethodName.StartsWith("Write", StringComparison.Ordinal)
            && call.Request.GetArgument(0) is string key
            && s_gates.FirstOrDefault(held => key.EndsWith(held.Key, StringComparison.Ordinal)).Value is { } gate)
        {
            gate.Arrived();
            await gate.Opened;
        }

        await call.Invoke();
    }
}
