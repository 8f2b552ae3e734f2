using Orleans.Concurrency;
using Orleans.Placement;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain that runs code of the test that calls it; see <see cref="ScriptedGrainExtensions"/>.</summary>
public interface IScriptedGrain : IGrainWithGuidKey
{
    /// <summary>Runs a script that has been left in <see cref="Scripts"/>.</summary>
    Task RunScript(Guid script);

    /// <summary>The same as a transaction, or as a part of the caller's.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task RunInATransaction(Guid script);
}

/// <summary>Like <see cref="IScriptedGrain"/>, but collected soon, and not reentrant.</summary>
public interface IShortLivedGrain : IScriptedGrain;

/// <summary>
/// Like <see cref="IScriptedGrain"/>, but a stateless worker: each silo has its own activation for one identity.
/// </summary>
public interface IScriptedWorker : IScriptedGrain;

/// <summary>The common base of the grains that run scripts.</summary>
internal abstract class ScriptableGrain(IGrainDelay delay) : Grain, IScriptedGrain, IRemindable
{
    internal IGrainDelay Delays { get; } = delay;

    internal IServiceProvider Services => ServiceProvider;

    public Task RunScript(Guid script) => Scripts.Run(script, this);

    public Task RunInATransaction(Guid script) => Scripts.Run(script, this);

    public override Task OnActivateAsync(CancellationToken cancellationToken) =>
        Scripts.On(GrainMoment.Activation, this, cancellationToken);

    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken) =>
        Scripts.On(GrainMoment.Deactivation, this, cancellationToken);

    public Task ReceiveReminder(string reminderName, TickStatus status) =>
        Scripts.On(GrainMoment.Reminder, this, CancellationToken.None);

    internal new void DeactivateOnIdle() => base.DeactivateOnIdle();

    internal new void DelayDeactivation(TimeSpan duration) => base.DelayDeactivation(duration);
}

/// <summary>Activated where it is first called, and open to other calls while one waits.</summary>
[Reentrant]
[PreferLocalPlacement]
internal sealed class ScriptedGrain(IGrainDelay delay) : ScriptableGrain(delay);

/// <summary>Not reentrant, and collected when it has been idle for <see cref="Age"/>.</summary>
[PreferLocalPlacement]
internal sealed class ShortLivedGrain(IGrainDelay delay) : ScriptableGrain(delay), IShortLivedGrain
{
    internal static readonly TimeSpan Age = TimeSpan.FromSeconds(2);
}

[Reentrant]
[StatelessWorker(maxLocalWorkers: 1)]
internal sealed class ScriptedWorker(IGrainDelay delay) : ScriptableGrain(delay), IScriptedWorker;
