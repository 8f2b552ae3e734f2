namespace ScalableTimers;

/// <summary>How a <see cref="TimerService"/> keeps time. Read once, when the service is created.</summary>
public sealed class ScalableTimerOptions
{
    private static readonly TimeSpan s_minResolution = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_maxResolution = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_maxTimeoutTokenBucket = TimeSpan.FromMinutes(1);

    /// <summary>The name of a service that has been given none.</summary>
    internal const string DefaultName = "default";

    /// <summary>Gets or sets the service's name, which its instruments have as the tag <c>service</c>.</summary>
    /// <value>
    /// Any text that is not empty. The default is null. Then the name is "default"; in a silo of Orleans it is the
    /// silo's name, and in a client "client".
    /// </value>
    /// <remarks>
    /// By their names services of one process can be told apart. Services that have the same name differ in a second
    /// tag, <c>id</c>, which is a number that the process gives out once.
    /// </remarks>
    public string? Name { get; set; }

    /// <summary>Gets or sets the width of one wheel tick.</summary>
    /// <value>From 1 millisecond to 1 second. The default is 10 milliseconds.</value>
    /// <remarks>A larger value wakes the driver less often and lets timers fire later by the same amount.</remarks>
    public TimeSpan Resolution { get; set; } = TimeSpan.FromMilliseconds(10);

    /// <summary>Gets or sets what wakes the driver.</summary>
    /// <value>
    /// One of the <see cref="TimerDriverKind"/> values. The default is <see cref="TimerDriverKind.Auto"/>.
    /// </value>
    /// <remarks>
    /// <see cref="TimerDriverKind.Thread"/> costs a thread. With <see cref="TimerDriverKind.Timer"/> the pool wakes
    /// threads for every tick, which takes more processor time, and is less accurate when the resolution is below 10
    /// milliseconds. A thread requires the system clock.
    /// </remarks>
    public TimerDriverKind Driver { get; set; } = TimerDriverKind.Auto;

    /// <summary>Gets or sets where expired timers fire.</summary>
    /// <value>One of the <see cref="FiringMode"/> values. The default is <see cref="FiringMode.Auto"/>.</value>
    /// <remarks>
    /// With <see cref="FiringMode.Auto"/>, a clock other than the system's drives the service in virtual time: timers
    /// fire in order, inside the clock's own callback. <see cref="FiringMode.ThreadPool"/> gives up that order, so that
    /// a blocked callback delays no other. <see cref="FiringMode.DriverThread"/> saves processor time where callbacks
    /// are short, and costs a second thread.
    /// </remarks>
    public FiringMode Firing { get; set; } = FiringMode.Auto;

    /// <summary>Gets or sets the width of a bucket: timeouts that end within the same bucket share one token.</summary>
    /// <value>From 1 millisecond to 1 minute. The default is 250 milliseconds.</value>
    /// <remarks>A larger value creates fewer tokens and cancels them later, by up to the same amount.</remarks>
    public TimeSpan TimeoutTokenBucket { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// Returns one sentence for each invalid value, which names the property, the value and the range.
    /// </summary>
    internal IEnumerable<string> Errors()
    {
        if (Name is "")
        {
            yield return $"{nameof(ScalableTimerOptions)}.{nameof(Name)} is empty; it must be null or at least one "
                + "character.";
        }

        if (Resolution < s_minResolution || Resolution > s_maxResolution)
        {
            yield return OutOfRange(nameof(Resolution), Resolution, s_minResolution, s_maxResolution);
        }

        if (!Enum.IsDefined(Driver))
        {
            yield return $"{nameof(ScalableTimerOptions)}.{nameof(Driver)} is {(int)Driver}; it must be one of "
                + $"{string.Join(", ", Enum.GetNames<TimerDriverKind>())}.";
        }

        if (!Enum.IsDefined(Firing))
        {
            yield return $"{nameof(ScalableTimerOptions)}.{nameof(Firing)} is {(int)Firing}; it must be one of "
                + $"{string.Join(", ", Enum.GetNames<FiringMode>())}.";
        }

        if (Firing == FiringMode.DriverThread && Driver == TimerDriverKind.Timer)
        {
            yield return $"{nameof(ScalableTimerOptions)}.{nameof(Firing)} is {Firing}, but {nameof(Driver)} is "
                + $"{Driver}, which has no thread. With this firing mode {nameof(Driver)} must be "
                + $"{TimerDriverKind.Auto} or {TimerDriverKind.Thread}.";
        }

        if (TimeoutTokenBucket < s_minResolution || TimeoutTokenBucket > s_maxTimeoutTokenBucket)
        {
            yield return OutOfRange(
                nameof(TimeoutTokenBucket), TimeoutTokenBucket, s_minResolution, s_maxTimeoutTokenBucket);
        }
    }

    private static string OutOfRange(string property, TimeSpan value, TimeSpan min, TimeSpan max) =>
        $"{nameof(ScalableTimerOptions)}.{property} is {value}; it must be from {min} to {max}.";
}
