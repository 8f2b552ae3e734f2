namespace ScalableTimers.Compare.Running;

/// <summary>How much of a workload is done.</summary>
/// <param name="Rounds">Rounds that count. One more round precedes them.</param>
/// <param name="SlowRounds">The same for workloads that cannot be shortened.</param>
/// <param name="Divisor">The divisor of the number of operations, and where possible of the duration.</param>
internal sealed record Scale(int Rounds, int SlowRounds, int Divisor)
{
    internal static Scale Quick { get; } = new(Rounds: 3, SlowRounds: 1, Divisor: 8);

    internal static Scale Full { get; } = new(Rounds: 7, SlowRounds: 7, Divisor: 1);
}
