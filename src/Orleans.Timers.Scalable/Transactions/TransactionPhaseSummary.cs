using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>The measurements of one phase of a silo's transactions.</summary>
/// <param name="Durations">How often the phase ran, and how long it took. The operation's name is the phase's.</param>
/// <param name="Timeouts">How often the phase took longer than it may.</param>
public sealed record TransactionPhaseSummary(OperationSummary Durations, long Timeouts);
