using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>What a silo has measured of one phase of its transactions.</summary>
/// <param name="Durations">How often it ran, and how long it took; the operation's name is the phase's.</param>
/// <param name="Timeouts">How often it took longer than it may.</param>
public sealed record TransactionPhaseSummary(OperationSummary Durations, long Timeouts);
