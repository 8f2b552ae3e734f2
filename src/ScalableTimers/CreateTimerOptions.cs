namespace ScalableTimers;

/// <summary>How a timer of <see cref="TimerService.CreateTimer"/> fires. Read once, when it is created.</summary>
public sealed class CreateTimerOptions
{
    internal static CreateTimerOptions Default { get; } = new();

    /// <summary>Gets or sets the extra lateness that is accepted so that timers fire together.</summary>
    /// <value>Zero or positive. The default is zero.</value>
    /// <remarks>
    /// The service chooses the moment that most timers can share, so there are fewer wake-ups and more lateness. The
    /// grid of a periodic timer does not move. A tolerance of one period or more delays a firing at most until just
    /// before the next one is due, so no firing is lost.
    /// </remarks>
    public TimeSpan Tolerance { get; set; }

    /// <summary>Gets or sets what happens to a firing that comes due while the callback is running.</summary>
    /// <value>The default is <see cref="TimerOverlap.Skip"/>.</value>
    /// <remarks>
    /// <see cref="TimerOverlap.Allow"/> loses no firing to a slow callback. The callback must then be ready to run
    /// concurrently with itself, on more and more threads if it is always slow.
    /// </remarks>
    public TimerOverlap Overlap { get; set; }

    internal void ThrowIfInvalid(string name)
    {
        if (Tolerance < TimeSpan.Zero)
        {
            throw new ArgumentException(
                $"{nameof(CreateTimerOptions)}.{nameof(Tolerance)} is {Tolerance}; it must be from {TimeSpan.Zero} "
                + $"to {TimeSpan.MaxValue}.",
                name);
        }

        if (!Enum.IsDefined(Overlap))
        {
            throw new ArgumentException(
                $"{nameof(CreateTimerOptions)}.{nameof(Overlap)} is {(int)Overlap}; it must be one of "
                + $"{string.Join(", ", Enum.GetNames<TimerOverlap>())}.",
                name);
        }
    }
}
