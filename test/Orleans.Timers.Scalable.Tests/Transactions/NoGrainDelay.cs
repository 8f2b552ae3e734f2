namespace Orleans.Timers.Scalable.Tests;

/// <summary>For grains of silos without scalable timers.</summary>
internal sealed class NoGrainDelay : IGrainDelay
{
    public bool KeepAlive { get; set; }

    public CancellationToken DeactivationToken => CancellationToken.None;

    public ValueTask Delay(TimeSpan dueTime, CancellationToken cancellationToken = default) => default;

    public ValueTask DelayIgnoringDeactivation(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        default;

    public IGrainPeriodicTimer CreatePeriodicTimer(TimeSpan period) => throw new NotSupportedException();
}
