namespace ScalableTimers;

/// <summary>How a <see cref="TimerService"/> keeps time. Read once, when the service is created.</summary>
public sealed class ScalableTimerOptions
{
    private static readonly TimeSpan s_minResolution = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_maxResolution = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_maxTimeoutTokenBucket = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan s_maxTimeoutTokenMemory = TimeSpan.FromHours(1);

    /// <summary>Gets or sets the width of one wheel tick.</summary>
    /// <value>From 1 millisecond to 1 second. The default is 10 milliseconds.</value>
    /// <remarks>A larger value wakes the driver less often and lets timers fire later by the same amount.</remarks>
    public TimeSpan Resolution { get; set; } = TimeSpan.FromMilliseconds(10);

    /// <summary>Gets or sets what wakes the driver.</summary>
    /// <value>One of the <see cref="TimerDriverKind"/> values. The default is <see cref="TimerDriverKind.Auto"/>.</value>
    /// <remarks>
    /// <see cref="TimerDriverKind.Thread"/> costs a thread and an eighth of the processor time of
    /// <see cref="TimerDriverKind.Timer"/>, and keeps time better below 10 milliseconds. It needs the system clock.
    /// </remarks>
    public TimerDriverKind Driver { get; set; } = TimerDriverKind.Auto;

    /// <summary>Gets or sets whether expired timers are fired on the thread pool also when the clock is not the system's.</summary>
    /// <value>The default is false: another clock drives the service in virtual time.</value>
    /// <remarks>
    /// In virtual time timers fire inside the clock's own timer callback, in deadline order, so that tests are exact; a
    /// callback that blocks then holds up the clock and all timers behind it. With true it holds up none, and the order is open.
    /// With the system clock timers always fire on the pool, unless <see cref="FireOnDriverThread"/> says otherwise.
    /// </remarks>
    public bool FireOnThreadPool { get; set; }

    /// <summary>Gets or sets whether expired timers are fired on the driver's own thread.</summary>
    /// <value>The default is false: timers fire on the thread pool. True needs the system clock and <see cref="TimerDriverKind.Auto"/> or <see cref="TimerDriverKind.Thread"/>.</value>
    /// <remarks>
    /// <para>
    /// <b>Who should use it.</b> A process that fires steadily, whose callbacks are short and do not block, or that awaits delays and does little
    /// before it awaits again. Handing work to the pool wakes pool threads, which spin before they sleep again; that can be half of what
    /// firing costs, and with true it falls away. A process that does anything long or blocking when a timer fires gains nothing.
    /// </para>
    /// <para>
    /// <b>Cost.</b> A second thread, which watches the first while timers fire, some 25 times a second at the default resolution, and sleeps otherwise.
    /// Callbacks that are due together run one after the other and use one processor. Only while the driver is more than a tick behind, or a batch of
    /// them takes several ticks, does the pool help.
    /// </para>
    /// <para>
    /// <b>Accuracy.</b> A callback that blocks, or computes for long, delays the others by up to 5 <see cref="Resolution"/>s: then the second thread
    /// takes over, and everything fires on the pool until that callback has returned.
    /// </para>
    /// <para>
    /// <b>Threads.</b> Callbacks run on a background thread of the service that is no thread of the pool: <see cref="Thread.IsThreadPoolThread"/> is false.
    /// So does what follows a delay that is awaited with <c>ConfigureAwait(false)</c> or without a context, up to its next await.
    /// They may do what callbacks may do on the pool, disposing the service included. Priority and <see cref="Thread.IsBackground"/> of the thread are put back after each batch.
    /// </para>
    /// </remarks>
    public bool FireOnDriverThread { get; set; }

    /// <summary>Gets or sets the width of the stretches of time in which timeouts share one token.</summary>
    /// <value>From 1 millisecond to 1 minute. The default is 250 milliseconds.</value>
    /// <remarks>A larger value makes fewer tokens and cancels them later, by up to the same amount.</remarks>
    public TimeSpan TimeoutTokenBucket { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>Gets or sets how long a timeout that was asked for is remembered, so that the tokens it will need are made ahead.</summary>
    /// <value>From zero, which makes none ahead, to 1 hour. The default is 10 seconds.</value>
    /// <remarks>
    /// A timeout that is used a second time within it has its tokens made ahead, off the path of requests, until it was not used for as long. That
    /// wakes the driver every four buckets and makes four tokens each time, also when only one of them is used. A larger value
    /// does so for timeouts that are used less often. At most 128 timeouts are remembered, each rounded up to whole buckets.
    /// </remarks>
    public TimeSpan TimeoutTokenMemory { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>What is wrong with the values, a sentence each that names the property, the value and the range.</summary>
    internal IEnumerable<string> Errors()
    {
        if (Resolution < s_minResolution || Resolution > s_maxResolution)
        {
            yield return OutOfRange(nameof(Resolution), Resolution, s_minResolution, s_maxResolution);
        }

        if (!Enum.IsDefined(Driver))
        {
            yield return $"{nameof(ScalableTimerOptions)}.{nameof(Driver)} is {(int)Driver}; it must be one of {string.Join(", ", Enum.GetNames<TimerDriverKind>())}.";
        }

        if (FireOnDriverThread && Driver == TimerDriverKind.Timer)
        {
            yield return $"{nameof(ScalableTimerOptions)}.{nameof(FireOnDriverThread)} is true, but {nameof(Driver)} is {Driver}, which has no thread; it must be {TimerDriverKind.Auto} or {TimerDriverKind.Thread}.";
        }

        if (FireOnDriverThread && FireOnThreadPool)
        {
            yield return $"{nameof(ScalableTimerOptions)}.{nameof(FireOnDriverThread)} and {nameof(FireOnThreadPool)} are both true; at most one of them may be.";
        }

        if (TimeoutTokenBucket < s_minResolution || TimeoutTokenBucket > s_maxTimeoutTokenBucket)
        {
            yield return OutOfRange(nameof(TimeoutTokenBucket), TimeoutTokenBucket, s_minResolution, s_maxTimeoutTokenBucket);
        }

        if (TimeoutTokenMemory < TimeSpan.Zero || TimeoutTokenMemory > s_maxTimeoutTokenMemory)
        {
            yield return OutOfRange(nameof(TimeoutTokenMemory), TimeoutTokenMemory, TimeSpan.Zero, s_maxTimeoutTokenMemory);
        }
    }

    private static string OutOfRange(string property, TimeSpan value, TimeSpan min, TimeSpan max) =>
        $"{nameof(ScalableTimerOptions)}.{property} is {value}; it must be from {min} to {max}.";
}
