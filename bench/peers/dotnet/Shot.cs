using System.Diagnostics;

namespace ScalableTimers.Peer;

/// <summary>One timer of <see cref="Firing"/>: when it was due and when it fired.</summary>
internal sealed class Shot(Round round)
{
    internal static readonly TimerCallback Fire = static state =>
    {
        var shot = (Shot)state!;
        if (shot.FiredAt != 0)
        {
            Environment.FailFast("A timer fired twice.");
        }

        shot.FiredAt = Stopwatch.GetTimestamp();
        shot._round.Signal();
    };

    private readonly Round _round = round;

    internal long DueAt { get; set; }

    internal long FiredAt { get; private set; }

    internal object? Keep { get; set; }
}
