using System.Collections.Concurrent;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The moments when a <see cref="ScriptableGrain"/> runs code of its test without being called.</summary>
internal enum GrainMoment
{
    Activation,
    Deactivation,
    Reminder,
}

/// <summary>
/// The place where tests leave code for their grains. All silos share the process, so the code need not be sent.
/// </summary>
internal static class Scripts
{
    private static readonly ConcurrentDictionary<Guid, Func<ScriptableGrain, Task>> s_scripts = new();
    private static readonly ConcurrentDictionary<
        (GrainId, GrainMoment), Func<ScriptableGrain, CancellationToken, Task>> s_handlers =
        new();

    internal static Guid Leave(Func<ScriptableGrain, Task> script)
    {
        var id = Guid.NewGuid();
        s_scripts[id] = script;
        return id;
    }

    internal static void Remove(Guid script) => s_scripts.TryRemove(script, out _);

    internal static Task Run(Guid script, ScriptableGrain grain) => s_scripts[script](grain);

    internal static void Leave(
        GrainId grain, GrainMoment moment, Func<ScriptableGrain, CancellationToken, Task> handler) =>
        s_handlers[(grain, moment)] = handler;

    internal static Task On(GrainMoment moment, ScriptableGrain grain, CancellationToken cancellationToken) =>
        s_handlers.TryGetValue((grain.GetGrainId(), moment), out var handler)
            ? handler(grain, cancellationToken)
            : Task.CompletedTask;
}
