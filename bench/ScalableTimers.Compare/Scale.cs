namespace ScalableTimers.Compare;

/// <summary>How much of a workload is done.</summary>
/// <param name="Rounds">Rounds that count. One more goes before them.</param>
/// <param name="Divisor">What the number of operations is divided by.</param>
internal sealed record Scale(int Rounds, int Divisor)
{
    internal static Scale Quick { get; } = new(3, 5);

    internal static Scale Full { get; } = new(7, 1);
}
