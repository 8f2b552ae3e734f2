namespace ScalableTimers.Peer;

/// <summary>How much to do.</summary>
/// <param name="Divisor">What the number of operations and the time they are spread over are divided by.</param>
/// <param name="LeadMilliseconds">Time between scheduling and the first firing.</param>
/// <param name="IdleMilliseconds">Time watched while nothing is due.</param>
internal sealed record Scale(int Divisor, int LeadMilliseconds, int IdleMilliseconds)
{
    internal static Scale WarmUp { get; } = new(10, 300, 0);

    internal static Scale Quick { get; } = new(5, 1000, 1000);

    internal static Scale Full { get; } = new(1, 2000, 2000);
}
