namespace ScalableTimers.Firing;

/// <summary>Code that goes on after a wait.</summary>
internal interface IResumption
{
    /// <summary>Called with no lock held when the wait is over.</summary>
    void Resume();
}
