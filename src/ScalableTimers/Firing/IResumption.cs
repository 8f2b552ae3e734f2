namespace ScalableTimers.Firing;

/// <summary>A state object whose callback resumes code after a wait.</summary>
internal interface IResumption;
