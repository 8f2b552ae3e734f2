namespace ScalableTimers.Compare.Reporting;

/// <summary>A row of the summary.</summary>
/// <param name="Text">What is compared, for a reader of README.</param>
/// <param name="Contestant">One of the workload's, beside the one that it is compared with.</param>
/// <param name="Column">The figure.</param>
internal sealed record Headline(string Text, string Contestant, Column Column);
