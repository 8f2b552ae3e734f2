namespace ScalableTimers.Firing;

/// <summary>An object that fires itself when it has expired.</summary>
internal interface IFiringTarget
{
    /// <summary>Runs user code, with no lock held.</summary>
    void Fire();
}
