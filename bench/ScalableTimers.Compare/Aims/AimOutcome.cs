namespace ScalableTimers.Compare.Aims;

/// <summary>Whether a run reached what is aimed for.</summary>
internal sealed record AimOutcome(string Subject, string Text, string Measured, bool IsReached);
