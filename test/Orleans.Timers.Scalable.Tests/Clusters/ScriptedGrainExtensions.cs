using System.Runtime.ExceptionServices;
using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

internal static class ScriptedGrainExtensions
{
    private static readonly DeactivationReason s_byTheTest = new(
        DeactivationReasonCode.ApplicationRequested, "by the test");

    /// <summary>A new grain, to be activated in a given silo by the first call.</summary>
    internal static IScriptedGrain NewGrain(this InProcessSiloHandle silo) =>
        silo.Grains().GetGrain<IScriptedGrain>(Guid.NewGuid());

    /// <summary>Like <see cref="NewGrain"/>, but not reentrant and collected soon.</summary>
    internal static IShortLivedGrain NewShortLivedGrain(this InProcessSiloHandle silo) =>
        silo.Grains().GetGrain<IShortLivedGrain>(Guid.NewGuid());

    internal static IGrainFactory Grains(this InProcessSiloHandle silo) =>
        silo.ServiceProvider.GetRequiredService<IGrainFactory>();

    /// <summary>Calls the grain, which runs a script. Its exception is rethrown unchanged.</summary>
    internal static async Task Run(this IScriptedGrain grain, Func<ScriptableGrain, Task> script)
    {
        Exception? thrown = null;
        var id = Scripts.Leave(async self =>
        {
            try
            {
                await script(self);
            }
            catch (Exception exception)
            {
                thrown = exception;
                throw;
            }
        });

        try
        {
            await grain.RunScript(id);
        }
        catch when (thrown is not null)
        {
            ExceptionDispatchInfo.Throw(thrown);
        }
        finally
        {
            Scripts.Remove(id);
        }
    }

    /// <summary>Calls the grain, which runs a script in a transaction of its own or of the caller.</summary>
    internal static async Task RunInATransaction(this IScriptedGrain grain, Func<ScriptableGrain, Task> script)
    {
        var id = Scripts.Leave(script);
        try
        {
            await grain.RunInATransaction(id);
        }
        finally
        {
            Scripts.Remove(id);
        }
    }

    /// <summary>Calls the grain and returns something that belongs to it.</summary>
    internal static async Task<T> Get<T>(this IScriptedGrain grain, Func<ScriptableGrain, T> get)
    {
        T? result = default;
        await grain.Run(self =>
        {
            result = get(self);
            return Task.CompletedTask;
        });
        return result!;
    }

    /// <summary>Activates the grain.</summary>
    internal static Task Activate(this IScriptedGrain grain) => grain.Run(static _ => Task.CompletedTask);

    /// <summary>Begins to deactivate an activation without waiting.</summary>
    internal static void BeginDeactivation(this IGrainContext activation) =>
        activation.Deactivate(s_byTheTest, CancellationToken.None);

    /// <summary>Sets the code that each activation of the grain runs at a given moment.</summary>
    internal static void On(
        this IScriptedGrain grain, GrainMoment moment, Func<ScriptableGrain, CancellationToken, Task> handler) =>
        Scripts.Leave(grain.GetGrainId(), moment, handler);

    /// <summary>Sets code that each activation of the grain runs at a given moment without waiting.</summary>
    internal static void On(this IScriptedGrain grain, GrainMoment moment, Action<ScriptableGrain> handler) =>
        grain.On(moment, (self, _) =>
        {
            handler(self);
            return Task.CompletedTask;
        });

    /// <summary>Calls the grain, which begins a wait, and waits until it has begun.</summary>
    /// <returns>The call.</returns>
    internal static async Task<Task> BeginWait(this IScriptedGrain grain, Func<ScriptableGrain, ValueTask> wait)
    {
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var call = grain.Run(async self =>
        {
            var pending = wait(self);
            begun.SetResult();
            await pending;
        });
        await await Task.WhenAny(begun.Task, call).Guarded("the grain begins to wait");
        return call;
    }
}
