using System.Runtime.CompilerServices;

namespace ScalableTimers;

/// <summary>Options of a <see cref="TimerService"/>. Read once, when the service is created.</summary>
public sealed class TimerServiceOptions
{
    private static readonly TimeSpan s_minResolution = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_maxResolution = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_maxTimeoutTokenBucket = TimeSpan.FromMinutes(1);

    /// <summary>The name of a service that is not given one.</summary>
    internal const string DefaultName = "default";

    /// <summary>Gets or sets the service's name, reported as the <c>service</c> tag of its metrics.</summary>
    /// <value>
    /// Any non-empty text, or null, the default. Null becomes "default", or in Orleans the silo's name for a silo and
    /// "client" for a client.
    /// </value>
    /// <remarks>A second tag, <c>id</c>, tells apart services of one process that share a name.</remarks>
    public string? Name { get; set; }

    /// <summary>Gets or sets the width of one wheel tick.</summary>
    /// <value>From 1 millisecond to 1 second. The default is 10 milliseconds.</value>
    /// <remarks>With a larger value the driver wakes less often, and timers fire up to that much later.</remarks>
    public TimeSpan Resolution { get; set; } = TimeSpan.FromMilliseconds(10);

    /// <summary>Gets or sets what wakes the driver.</summary>
    /// <value>The default is <see cref="TimerServiceDriver.Thread"/>.</value>
    /// <remarks>
    /// <see cref="TimerServiceDriver.Thread"/> costs a thread. <see cref="TimerServiceDriver.Timer"/> takes more CPU
    /// time, is less accurate at resolutions below 10 milliseconds, and waits for a thread of the pool: while all are
    /// blocked, its timers may wait longer than .NET's. In virtual time the clock's own timer always drives the
    /// service.
    /// </remarks>
    public TimerServiceDriver Driver { get; set; }

    /// <summary>Gets or sets what happens to an exception that a callback throws.</summary>
    /// <value>
    /// The default is <see cref="CallbackExceptions.Throw"/> for a service that a program creates: like an exception
    /// from one of .NET's timers, it ends the process, because nothing else would tell of it. In a host and in Orleans
    /// it is <see cref="CallbackExceptions.Log"/>: there many parts share the service, and a mistake in one should not
    /// end the others' work.
    /// </value>
    /// <remarks><see cref="CallbackExceptions.Log"/> needs a logger.</remarks>
    public CallbackExceptions CallbackExceptions { get; set; }

    /// <summary>Gets or sets the width of a bucket: timeouts that end within the same bucket share one token.</summary>
    /// <value>From 1 millisecond to 1 minute. The default is 250 milliseconds.</value>
    /// <remarks>A larger value creates fewer tokens and cancels them up to that much later.</remarks>
    public TimeSpan TimeoutTokenBucket { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>One sentence for each invalid value, with the property, the value and the range.</summary>
    internal IEnumerable<string> Errors()
    {
        if (Name is "")
        {
            yield return $"{nameof(TimerServiceOptions)}.{nameof(Name)} is empty; it must be null or at least one "
                + "character.";
        }

        if (Resolution < s_minResolution || Resolution > s_maxResolution)
        {
            yield return OutOfRange(nameof(Resolution), Resolution, s_minResolution, s_maxResolution);
        }

        foreach (var error in new[] { Undefined(Driver), Undefined(CallbackExceptions) })
        {
            if (error is not null)
            {
                yield return error;
            }
        }

        if (TimeoutTokenBucket < s_minResolution || TimeoutTokenBucket > s_maxTimeoutTokenBucket)
        {
            yield return OutOfRange(
                nameof(TimeoutTokenBucket), TimeoutTokenBucket, s_minResolution, s_maxTimeoutTokenBucket);
        }
    }

    internal void ThrowIfInvalid(string name)
    {
        var errors = Errors().ToList();
        if (errors.Count > 0)
        {
            throw new ArgumentException(string.Join(" ", errors), name);
        }
    }

    private static string OutOfRange(string property, TimeSpan value, TimeSpan min, TimeSpan max) =>
        $"{nameof(TimerServiceOptions)}.{property} is {value}; it must be from {min} to {max}.";

    private static string? Undefined<T>(T value, [CallerArgumentExpression(nameof(value))] string? property = null)
        where T : struct, Enum =>
        Enum.IsDefined(value)
            ? null
            : $"{nameof(TimerServiceOptions)}.{property} is {value:D}; it must be one of "
                + $"{string.Join(", ", Enum.GetNames<T>())}.";
}
