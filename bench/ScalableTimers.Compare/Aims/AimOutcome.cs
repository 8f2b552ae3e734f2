namespace ScalableTimers.Compare.Aims;

/// <summary>Whether a run reached an aim.</summary>
/// <param name="Subject">The measured subject.</param>
/// <param name="Text">The text of the aim.</param>
/// <param name="Measured">The measured figures.</param>
/// <param name="IsReached">Whether the aim is reached, if necessary with the option.</param>
/// <param name="NeedsDriverThread">Whether it is reached only with <see cref="FiringMode.DriverThread"/>.</param>
internal sealed record AimOutcome(string Subject, string Text, string Measured, bool IsReached, bool NeedsDriverThread);
