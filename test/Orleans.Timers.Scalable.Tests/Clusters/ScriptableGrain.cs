namespace Orleans.Timers.Scalable.Tests;

/// <summary>The common base of the grains that run scripts.</summary>
internal abstract class ScriptableGrain(IGrainDelay delay) : Grain, IScriptedGrain, IRemindable
{
    internal IGrainDelay Delays { get; } = delay;

    internal IServiceProvider Services => ServiceProvider;

    public Task RunScript(Guid script) => Scripts.Run(script, this);

    public override Task OnActivateAsync(CancellationToken cancellationToken) =>
        Scripts.On(GrainMoment.Activation, this, cancellationToken);

    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken) =>
        Scripts.On(GrainMoment.Deactivation, this, cancellationToken);

    public Task ReceiveReminder(string reminderName, TickStatus status) =>
        Scripts.On(GrainMoment.Reminder, this, CancellationToken.None);

    internal new void DeactivateOnIdle() => base.DeactivateOnIdle();

    internal new void DelayDeactivation(TimeSpan duration) => base.DelayDeactivation(duration);
}
