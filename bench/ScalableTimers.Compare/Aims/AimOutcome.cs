namespace ScalableTimers.Compare.Aims;

/// <summary>Whether a run reached what is aimed for.</summary>
/// <param name="Subject">What was measured.</param>
/// <param name="Text">What is aimed for.</param>
/// <param name="Measured">What was reached.</param>
/// <param name="IsReached">Whether that is enough, with the option if need be.</param>
/// <param name="NeedsDriverThread">Whether it is enough only with <see cref="FiringMode.DriverThread"/>.</param>
internal sealed record AimOutcome(string Subject, string Text, string Measured, bool IsReached, bool NeedsDriverThread);
