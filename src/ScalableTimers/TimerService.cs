using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;
using ScalableTimers.Driving;
using ScalableTimers.Firing;
using ScalableTimers.Metrics;
using ScalableTimers.Queues;
using ScalableTimers.Timeouts;
using ScalableTimers.Timers;

namespace ScalableTimers;

/// <summary>Delays, callbacks, timeouts and a <see cref="TimeProvider"/>, all driven by one wake-up source.</summary>
/// <remarks>
/// <para>
/// <b>Cost.</b> Scheduling, cancelling and firing take constant time, however many timers are pending, and allocate
/// nothing in a steady state. While nothing is due soon, the service sleeps.
/// </para>
/// <para>
/// <b>Accuracy.</b> Measured by <see cref="TimeProvider.GetTimestamp"/>, a timer never fires before its due time. It
/// expires at most one <see cref="TimerServiceOptions.Resolution"/> later, plus the time the system takes to wake a
/// thread. Then it waits for a pool thread. Zero is due at once. A value that truncates to -1 millisecond is infinite.
/// </para>
/// <para>
/// <b>Order.</b> Timers fire concurrently, and in no particular order within a tick. In virtual time, with a clock
/// that makes its own timers, they fire one by one inside that clock's timer callback, tick by tick
/// and within a tick in scheduling order. When the call that advances the clock returns, everything due has run. This
/// holds while one thread advances the clock and no other thread schedules. If several advance it, or the clock runs
/// its timer callbacks on several threads, each callback fires the due timers it finds, concurrently with the others.
/// </para>
/// <para>
/// <b>Threads.</b> All members may be called concurrently, from any thread and from callbacks. Callbacks run on the
/// pool, in virtual time inside the clock's timer callback, with no lock held. One that blocks ties up its thread but
/// delays no other timer. A changed thread priority may last for the callbacks after it.
/// </para>
/// <para>
/// <b>Exceptions.</b> Exceptions from callbacks are counted, and then thrown or logged as
/// <see cref="TimerServiceOptions.CallbackExceptions"/> says. The same holds for callbacks registered with a timeout
/// token.
/// </para>
/// <para>
/// <b>Stopping.</b> <see cref="StopAsync"/> ends the delays; everything else continues. <see cref="Dispose"/> ends the
/// service: it drops the callbacks of <c>Schedule</c> and the timers of <c>CreatePeriodicTimer</c>. Timeout tokens and
/// timers of <see cref="TimeProvider"/>, even later ones, still end on time: the system's timer drives them, when the
/// driver's thread has ended. A service that is not disposed keeps that thread.
/// </para>
/// </remarks>
public sealed partial class TimerService : IDisposable, IAsyncDisposable
{
    private readonly QueueRegistry _queues;
    private readonly TimeoutTokens _timeoutTokens;
    private readonly Publication<TimerService> _metrics;
    private readonly NonThrowingLogger? _logger;

    /// <summary>Creates a service with the default options, on the system clock.</summary>
    public TimerService()
        : this(new TimerServiceOptions())
    {
    }

    /// <summary>Creates a service on the system clock.</summary>
    /// <param name="options">The options. Read once.</param>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    public TimerService(TimerServiceOptions options)
        : this(options, TimeProvider.System)
    {
    }

    /// <inheritdoc cref="TimerService(TimerServiceOptions, ILogger{TimerService}, TimeProvider, IMeterFactory)"/>
    public TimerService(TimerServiceOptions options, TimeProvider clock)
        : this(options, logger: null, clock)
    {
    }

    /// <summary>Creates a service. It has no thread until its first timer.</summary>
    /// <param name="options">The options. Read once.</param>
    /// <param name="logger">The logger; null for none.</param>
    /// <param name="clock">
    /// The clock to keep time by; null for <see cref="TimeProvider.System"/>. A clock that makes its own timers, such
    /// as a test's, drives the service in virtual time. From any other clock the service takes only what
    /// <see cref="TimeProvider"/> returns: time of day, time zone and timestamps. If the timestamps of a clock in
    /// virtual time go back, no timer fires until they have caught up.
    /// </param>
    /// <param name="meterFactory">Creates the meter "ScalableTimers"; null for a shared one.</param>
    /// <exception cref="ArgumentException">
    /// An option is out of range, exceptions of callbacks are to be logged without a logger, the clock has timers but
    /// no timestamps of its own, or its timestamps count too fast for due times of ten years.
    /// </exception>
    public TimerService(
        TimerServiceOptions options,
        ILogger<TimerService>? logger,
        TimeProvider? clock = null,
        IMeterFactory? meterFactory = null)
        : this(options, clock, logger, meterFactory, isOrdered: null)
    {
    }

    /// <summary>Creates a service that may fire on the pool in virtual time.</summary>
    internal TimerService(
        TimerServiceOptions options,
        TimeProvider? clock,
        ILogger? logger,
        IMeterFactory? meterFactory,
        bool? isOrdered)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.ThrowIfInvalid(nameof(options));
        if (options.CallbackExceptions == CallbackExceptions.Log && logger is null)
        {
            throw new ArgumentException(
                $"{nameof(TimerServiceOptions)}.{nameof(CallbackExceptions)} is {nameof(CallbackExceptions.Log)}, but "
                + $"there is no logger. Pass one, or set {nameof(CallbackExceptions.Throw)}. In a container, call "
                + "AddLogging().",
                nameof(options));
        }

        // The provider of another service only passes that service's clock on.
        clock = (clock as ScalableTimeProvider)?.Clock ?? clock ?? TimeProvider.System;
        ClockOverrides.ThrowIfUnfit(clock);
        var isVirtual = ClockOverrides.MakesTimers(clock);

        _logger = logger is null ? null : new NonThrowingLogger(logger);
        if (isVirtual && _logger is not null)
        {
            LogVirtualTime(_logger, clock.GetType());
        }

        Tags = TimerMetrics.NewTags(options.Name ?? TimerServiceOptions.DefaultName);
        Clock = new TickClock(isVirtual ? clock : TimeProvider.System, options.Resolution);
        Dispatcher = new FiringDispatcher(Clock, _logger, options.CallbackExceptions);
        _queues = new QueueRegistry(Clock, Dispatcher, isOrdered ?? isVirtual);
        TimeProvider = new ScalableTimeProvider(_queues, clock);
        Driver = _queues.IsOrdered
            ? new OrderedDriver(_queues)
            : new RoundDriver(_queues, isVirtual ? TimerServiceDriver.Timer : options.Driver);
        _queues.Driver = Driver;
        _timeoutTokens = new TimeoutTokens(_queues, options.TimeoutTokenBucket);
        _metrics = TimerMetrics.Publish(this, meterFactory);
    }

    /// <summary>Gets a time provider whose timers this service drives.</summary>
    /// <remarks>
    /// For <c>Task.Delay</c>, <c>WaitAsync</c>, <see cref="CancellationTokenSource"/>, <see cref="PeriodicTimer"/> and
    /// other APIs that take one. Time, time zone and timestamps come from the service's clock. Creating a timer
    /// allocates, and so does <c>DisposeAsync</c>; changing and disposing it do not. A periodic timer stays on the grid
    /// of its first due time, and all periods missed during a pause share one firing, except in virtual time. As with
    /// .NET's timers, callbacks run in the <see cref="ExecutionContext"/> captured when the timer was created, and a
    /// callback that outlasts its period overlaps with its next run. After <c>Dispose</c> the timer starts no callback.
    /// One that was about to run on another thread may still begin. <c>DisposeAsync</c> waits for all that run or are
    /// about to, also for one that awaits it: so a callback must not block on it.
    /// </remarks>
    /// <example>
    /// <code>
    /// using var source = new CancellationTokenSource(TimeSpan.FromSeconds(30), timers.TimeProvider);
    /// await Task.Delay(TimeSpan.FromSeconds(1), timers.TimeProvider, source.Token);
    /// </code>
    /// </example>
    public TimeProvider TimeProvider { get; }

    /// <summary>
    /// Whether a container owns the service. Its disposal waits for no callback, as it waits for none of .NET's timers:
    /// a host blocks on it, perhaps in code that a callback has resumed.
    /// </summary>
    internal bool IsOfAContainer { get; init; }

    /// <summary>The metric tags that distinguish the service from others in the process.</summary>
    internal KeyValuePair<string, object?>[] Tags { get; }

    internal TickClock Clock { get; }

    internal FiringDispatcher Dispatcher { get; }

    /// <summary>What the code that made the service keeps with it; written once, interlocked.</summary>
#pragma warning disable CS0649 // Assigned outside this assembly.
    internal object? Owner;
#pragma warning restore CS0649

    internal TimerDriver Driver { get; }

    internal bool IsDisposed => _queues.Phase == ServicePhase.Disposed;

    /// <summary>Schedules a callback to run once.</summary>
    /// <param name="callback">The callback. The <see cref="ExecutionContext"/> is not captured.</param>
    /// <param name="state">The object to pass to the callback.</param>
    /// <param name="dueTime">The minimum wait. If infinite, the timer waits until it is rescheduled.</param>
    /// <returns>The timer, to cancel or reschedule it. It may be ignored.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The duration is negative and not infinite.</exception>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    public ScheduledTimer Schedule(TimerCallback callback, object? state, TimeSpan dueTime)
    {
        ArgumentNullException.ThrowIfNull(callback);
        var (entry, life) = CallbackEntry.Schedule(
            QueueRegistry.Current(_queues), callback, state, DueTime.Normalize(dueTime));
        return new ScheduledTimer(entry, life);
    }

    /// <summary>Schedules a callback with a typed state to run once.</summary>
    /// <typeparam name="TState">The type of the state.</typeparam>
    /// <example>
    /// A timeout that cannot leak, because it is cancelled when its block is left:
    /// <code>
    /// using var timeout = timers.Schedule(static work => work.Abort(), work, TimeSpan.FromSeconds(30));
    /// await work.Completion;
    /// </code>
    /// </example>
    /// <inheritdoc cref="Schedule(TimerCallback, object?, TimeSpan)"/>
    [OverloadResolutionPriority(1)]
    public ScheduledTimer Schedule<TState>(Action<TState> callback, TState state, TimeSpan dueTime)
        where TState : class? =>
        Schedule(FiringItem.Untyped(callback), state, dueTime);

    /// <summary>Cancels a source after a time, unless the timer is cancelled or disposed before.</summary>
    /// <param name="source">The source. It may be disposed at any time.</param>
    /// <param name="dueTime">The minimum wait. If infinite, the timer waits until it is rescheduled.</param>
    /// <returns>
    /// The timer, to dispose before the source. Reuse a source only after <see cref="ScheduledTimer.Cancel"/> has
    /// returned true: otherwise it may yet be cancelled.
    /// </returns>
    /// <remarks>
    /// A timeout without an allocation for any source: a new, a linked or a pooled one. Unlike that of
    /// <see cref="CancellationTokenSource.CancelAfter(TimeSpan)"/> it is a timer of its own: another call adds another,
    /// and disposing or resetting the source leaves it pending. So dispose it, or move it with
    /// <see cref="ScheduledTimer.Reschedule"/>.
    /// </remarks>
    /// <example>
    /// <code>
    /// using var source = CancellationTokenSource.CreateLinkedTokenSource(callerToken);
    /// using var timeout = timers.CancelAfter(source, TimeSpan.FromSeconds(30));
    /// await client.GetAsync(uri, source.Token);
    /// </code>
    /// </example>
    /// <exception cref="ArgumentOutOfRangeException">The duration is negative and not infinite.</exception>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    public ScheduledTimer CancelAfter(CancellationTokenSource source, TimeSpan dueTime)
    {
        ArgumentNullException.ThrowIfNull(source);
        return Schedule(FiringItem.CancelSource, source, dueTime);
    }

    /// <summary>Creates a timer that fires periodically or once, and can be changed later.</summary>
    /// <param name="callback">What to run. The <see cref="ExecutionContext"/> is not captured.</param>
    /// <param name="state">The object to pass to the callback.</param>
    /// <param name="dueTime">The minimum time to the first firing. If infinite, the timer waits for a change.</param>
    /// <param name="period">The time between firings. If it is zero or infinite, the timer fires once.</param>
    /// <param name="tolerance">How late a firing may be so that timers fire together; zero or positive.</param>
    /// <remarks>
    /// <para><b>Cost.</b> Creating a timer allocates; changing, firing and disposing it do not.</para>
    /// <para>
    /// <b>Accuracy.</b> The timer fires at the moments due time + k × period, counted from its creation or last change,
    /// without drift. All moments missed during a pause share one firing, as do moments in the same tick if the period
    /// is shorter than the resolution. Moments without a firing of their own are counted as
    /// <see cref="TimerServiceSnapshot.Skipped"/>. In virtual time every moment has its own firing.
    /// </para>
    /// <para>
    /// With a tolerance, the service picks the moment that most timers can share, which trades lateness for fewer
    /// wake-ups: for thousands of heartbeats or sweeps at unrelated times. A periodic timer's grid does not move. Even
    /// a tolerance of one period or more delays a firing only until just before the next one is due, so none is lost.
    /// </para>
    /// <para>
    /// <b>Order.</b> The callback never overlaps itself. A firing that comes due while it runs, or waits for a thread,
    /// is skipped, unless it is the last one, which then fires when the callback has returned. For overlapping firings,
    /// use a timer of <see cref="TimeProvider"/>.
    /// </para>
    /// <para>
    /// <b>Stopping.</b> The service keeps a timer alive only while it is armed. After the timer or the service has been
    /// disposed, the timer starts no callback and <see cref="ITimer.Change"/> returns false. A callback that was about
    /// to run on another thread may still begin. <c>Dispose</c> does not wait for it; <c>DisposeAsync</c> waits for
    /// callbacks that are running or about to run, also for one that awaits it: so a callback must not block on it.
    /// </para>
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// The due time or the period is negative and not infinite, or the tolerance is negative or infinite.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    public ITimer CreatePeriodicTimer(
        TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period, TimeSpan tolerance = default)
    {
        ArgumentNullException.ThrowIfNull(callback);
        ArgumentOutOfRangeException.ThrowIfLessThan(tolerance, TimeSpan.Zero);
        var timer = new ServiceTimer(QueueRegistry.Current(_queues), callback, state, tolerance);
        if (!timer.Change(dueTime, period))
        {
            QueueRegistry.ThrowDisposed();
        }

        return timer;
    }

    /// <summary>Creates a timer with a typed state that fires periodically or once, and can be changed later.</summary>
    /// <typeparam name="TState">The type of the state.</typeparam>
    /// <example>
    /// <code>
    /// using var sweep = timers.CreatePeriodicTimer(
    ///     static cache => cache.Sweep(), cache, dueTime: minute, period: minute, tolerance: TimeSpan.FromSeconds(5));
    /// </code>
    /// </example>
    /// <inheritdoc cref="CreatePeriodicTimer(TimerCallback, object?, TimeSpan, TimeSpan, TimeSpan)"/>
    [OverloadResolutionPriority(1)]
    public ITimer CreatePeriodicTimer<TState>(
        Action<TState> callback, TState state, TimeSpan dueTime, TimeSpan period, TimeSpan tolerance = default)
        where TState : class? =>
        CreatePeriodicTimer(FiringItem.Untyped(callback), state, dueTime, period, tolerance);

    /// <summary>Gets a token that is cancelled after a timeout. Callers that time out together share a few.</summary>
    /// <param name="timeout">The minimum time. Zero gives a cancelled token, infinite one that never is.</param>
    /// <remarks>
    /// The token is never cancelled early, and at most one <see cref="TimerServiceOptions.TimeoutTokenBucket"/> plus
    /// one resolution late. If it already exists, the call neither locks nor allocates. Until it is cancelled, it stays
    /// in memory with every registration that is not disposed. Registered callbacks run one after another on one
    /// thread, so one that blocks or takes long delays those behind it; one that throws does not. If callbacks are not
    /// trivial, create your own source, and call <see cref="CancelAfter"/>.
    /// </remarks>
    /// <example>
    /// <code>
    /// var timeout = timers.GetTimeoutToken(TimeSpan.FromSeconds(30));
    /// using var registration = timeout.UnsafeRegister(static poll => ((Poll)poll!).AnswerNothing(), poll);
    /// await poll.Completion;
    /// </code>
    /// </example>
    /// <exception cref="ArgumentOutOfRangeException">The duration is negative and not infinite.</exception>
    public CancellationToken GetTimeoutToken(TimeSpan timeout) => _timeoutTokens.Get(timeout);
}
