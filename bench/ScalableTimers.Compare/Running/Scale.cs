namespace ScalableTimers.Compare.Running;

/// <summary>How much of a workload to run.</summary>
/// <param name="Rounds">The maximum number of rounds that count.</param>
/// <param name="Divisor">Divides numbers of operations, and durations.</param>
internal sealed record Scale(int Rounds, int Divisor)
{
    internal static Scale Quick { get; } = new(Rounds: 1, Divisor: 8);

    internal static Scale Full { get; } = new(Rounds: 5, Divisor: 1);

    internal int Of(int operations) => operations / Divisor;

    internal TimeSpan Of(TimeSpan duration) => duration / Divisor;
}
