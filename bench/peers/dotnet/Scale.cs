namespace ScalableTimers.Peer;

/// <summary>The amount of work.</summary>
/// <param name="Divisor">Divides the number of operations, and the time they are spread over.</param>
/// <param name="LeadMilliseconds">The time between scheduling and the first firing.</param>
/// <param name="IdleMilliseconds">How long to measure while nothing is due.</param>
internal sealed record Scale(int Divisor, int LeadMilliseconds, int IdleMilliseconds)
{
    internal static Scale WarmUp { get; } = new(10, 300, 0);

    internal static Scale Quick { get; } = new(5, 1000, 1000);

    internal static Scale Full { get; } = new(1, 2000, 2000);
}
