namespace ScalableTimers.Firing;

/// <summary>Something that has expired and fires itself.</summary>
internal interface IFiringTarget
{
    /// <summary>Runs user code, with no lock held.</summary>
    void Fire();
}
