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
/// expires at most one <see cref="ScalableTimerOptions.Resolution"/> later, plus the time the system takes to wake a
/// thread. Then it waits for a pool thread. Zero is due at once. A value that truncates to -1 millisecond is infinite.
/// </para>
/// <para>
/// <b>Order.</b> Timers fire concurrently, and in no particular order within a tick. In virtual time, with a clock
/// other than <see cref="TimeProvider.System"/>, they fire one by one inside that clock's timer callback, tick by tick
/// and within a tick in scheduling order. When the call that advances the clock returns, everything due has run. This
/// holds while one thread advances the clock and no other thread schedules. If several advance it, or the clock runs
/// its timer callbacks on several threads, each callback fires the due timers it finds, concurrently with the others.
/// </para>
/// <para>
/// <b>Threads.</b> All members may be called concurrently, from any thread and from callbacks. Callbacks run where
/// <see cref="ScalableTimerOptions.CallbackThread"/> says, with no lock held. On the pool, one that blocks ties up its
/// thread but delays no other timer. A changed thread priority lasts for the batch (up to 128 callbacks).
/// </para>
/// <para>
/// <b>Exceptions.</b> Exceptions from callbacks are counted. With a logger they are logged and affect no other timer.
/// Without one they end the process, as with .NET's timers; in virtual time they reach the code that advances the
/// clock. The same holds for callbacks registered with a timeout token.
/// </para>
/// <para>
/// <b>Stopping.</b> <see cref="StopAsync"/> ends the delays; everything else continues. <see cref="Dispose"/> ends the
/// service: it drops the callbacks of <see cref="Schedule"/> and the timers of <see cref="CreateTimer"/>. Timeout
/// tokens and timers of <see cref="TimeProvider"/>, even later ones, still end on time, each driven by a timer of the
/// clock. A service that is not disposed keeps its driver thread.
/// </para>
/// </remarks>
public sealed class TimerService : IDisposable, IAsyncDisposable
{
    private readonly QueueRegistry _queues;
    private readonly TimeoutTokens _timeoutTokens;
    private readonly Publication<TimerService> _metrics;
    private readonly TaskCompletionSource _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _isStopped;
    private int _isDisposed;

    /// <summary>Creates a service. It has no thread until its first timer.</summary>
    /// <param name="options">The options; null for the defaults. Read once.</param>
    /// <param name="clock">
    /// The clock to keep time by; null for <see cref="TimeProvider.System"/>. Any other clock drives the service in
    /// virtual time. If its timestamps go back, no timer fires until they have caught up.
    /// </param>
    /// <param name="logger">The logger. Without one, an exception from a callback ends the process.</param>
    /// <param name="meterFactory">Creates the meter "ScalableTimers"; null for a shared one.</param>
    /// <exception cref="ArgumentException">
    /// An option is out of range, the clock has timers but no timestamps of its own, or its timestamps count too fast
    /// for due times of ten years.
    /// </exception>
    public TimerService(
        ScalableTimerOptions? options = null,
        TimeProvider? clock = null,
        ILogger<TimerService>? logger = null,
        IMeterFactory? meterFactory = null)
        : this(options, clock, logger, meterFactory, firesInOrder: clock is not null && clock != TimeProvider.System)
    {
    }

    /// <summary>Creates a service that may fire on the pool in virtual time.</summary>
    internal TimerService(
        ScalableTimerOptions? options,
        TimeProvider? clock,
        ILogger? logger,
        IMeterFactory? meterFactory,
        bool firesInOrder)
    {
        options ??= new ScalableTimerOptions();
        clock ??= TimeProvider.System;
        options.ThrowIfInvalid(nameof(options));
        ThrowIfUnfit(clock);

        Tags = TimerMetrics.NewTags(options.Name ?? ScalableTimerOptions.DefaultName);
        Clock = new TickClock(clock, options.Resolution);
        Dispatcher = new FiringDispatcher(Clock, logger is null ? null : new NonThrowingLogger(logger));
        _queues = new QueueRegistry(Clock, Dispatcher, isShared: firesInOrder);
        TimeProvider = new ScalableTimeProvider(_queues, clock);
        Driver = new TimerDriver(
            _queues,
            ReferenceEquals(clock, TimeProvider.System) ? options.Driver : TimerDriverKind.Timer,
            firesHere: options.CallbackThread == CallbackThread.DriverThread);
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
    /// One that was about to run on another thread may still begin. <c>DisposeAsync</c> waits for it; called inside a
    /// callback, it does not wait.
    /// </remarks>
    public TimeProvider TimeProvider { get; }

    /// <summary>The metric tags that distinguish the service from others in the process.</summary>
    internal KeyValuePair<string, object?>[] Tags { get; }

    internal TickClock Clock { get; }

    internal FiringDispatcher Dispatcher { get; }

    /// <summary>Called before <see cref="StopAsync"/> ends the delays. It must not throw.</summary>
    internal Action? Stopping { get; set; }

    internal TimerDriver Driver { get; }

    internal bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    /// <summary>Waits for a duration.</summary>
    /// <param name="dueTime">The minimum wait. Zero completes at once; infinite waits until cancelled.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A task that completes when the time has passed. Await it only once.</returns>
    /// <remarks>Allocates nothing in a steady state, except the exception of a cancelled delay.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">The duration is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">
    /// The token was cancelled, or the service was stopped. The exception carries the token only in the first case.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    public ValueTask Delay(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        Delay(dueTime, DelayOptions.None, cancellationToken, scope: default);

    /// <summary>Waits for a duration, and reports whether it passed. Allocates nothing in a steady state.</summary>
    /// <param name="dueTime">The minimum wait. Zero completes at once; infinite waits until cancelled.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>True when the time has passed, false when cancelled or stopped. Await the task only once.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The duration is negative and not infinite.</exception>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    public ValueTask<bool> TryDelay(TimeSpan dueTime, CancellationToken cancellationToken = default)
    {
        dueTime = DueTime.Normalize(dueTime);
        if (cancellationToken.IsCancellationRequested)
        {
            return new ValueTask<bool>(false);
        }

        if (dueTime == TimeSpan.Zero && !EndsAtOnce(DelayOptions.None))
        {
            return new ValueTask<bool>(true);
        }

        return StartDelay(dueTime, DelayOptions.ReportCancellation, cancellationToken, scope: default)
            .AsValueTaskOfBool();
    }

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
        return CallbackEntry.Schedule(QueueRegistry.Current(_queues), callback, state, DueTime.Normalize(dueTime));
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
    /// wake-ups. A periodic timer's grid does not move. Even a tolerance of one period or more delays a firing only
    /// until just before the next one is due, so none is lost.
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
    /// callbacks that are running or about to run; called inside one, it does not wait.
    /// </para>
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// The due time or the period is negative and not infinite, or the tolerance is negative or infinite.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    public ITimer CreateTimer(
        TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period, TimeSpan tolerance = default)
    {
        ArgumentNullException.ThrowIfNull(callback);
        ArgumentOutOfRangeException.ThrowIfLessThan(tolerance, TimeSpan.Zero);
        var timer = new ChangeableTimer(QueueRegistry.Current(_queues), callback, state, tolerance);
        if (!timer.Change(dueTime, period))
        {
            QueueRegistry.ThrowDisposed();
        }

        return timer;
    }

    /// <summary>Gets a token that is cancelled after a timeout. Callers that time out together share it.</summary>
    /// <param name="timeout">The minimum time. Zero gives a cancelled token, infinite one that never is.</param>
    /// <remarks>
    /// The token is never cancelled early, and at most one <see cref="ScalableTimerOptions.TimeoutTokenBucket"/> plus
    /// one resolution late. If it already exists, the call neither locks nor allocates. Until it is cancelled, it stays
    /// in memory with every registration that is not disposed. Registered callbacks run one after another on one
    /// thread, so one that blocks or takes long delays those behind it; one that throws does not. If callbacks are not
    /// trivial, create your own source over <see cref="TimeProvider"/>.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">The duration is negative and not infinite.</exception>
    public CancellationToken GetTimeoutToken(TimeSpan timeout) => _timeoutTokens.Get(timeout);

    /// <summary>The first step of stopping: ends every delay. Everything else continues.</summary>
    /// <returns>
    /// A task that completes when every pending delay has ended: <see cref="Delay(TimeSpan, CancellationToken)"/> with
    /// an <see cref="OperationCanceledException"/>, <see cref="TryDelay"/> with false. Later delays end at once.
    /// </returns>
    /// <remarks>
    /// Code that awaits the delays resumes on the pool. In virtual time it resumes within this call; if it calls this
    /// method too, it gets a task that completes only when the first call returns. This method may be called more than
    /// once, and after <see cref="Dispose"/>. Delays that a concurrent <see cref="Dispose"/> is ending may end shortly
    /// afterwards.
    /// </remarks>
    public Task StopAsync()
    {
        if (Interlocked.Exchange(ref _isStopped, 1) == 0)
        {
            try
            {
                Stopping?.Invoke();
                QueueRegistry.EndPhase(_queues.EnterPhase(ServicePhase.Stopping), ServicePhase.Stopping);
            }
            finally
            {
                _stopped.SetResult();
            }
        }

        return _stopped.Task;
    }

    /// <summary>Gets figures on what the service has done so far.</summary>
    /// <returns>The figures, read one after another. Each is exact except for calls in progress.</returns>
    public TimerServiceSnapshot GetSnapshot()
    {
        // Read before the queues: a timer fires only after its queue has counted it as expired. So no timer is in two
        // figures, and the figures add up.
        var fired = Dispatcher.Fired;
        var counts = default(QueueCounts);
        var queues = _queues.All;
        foreach (var queue in queues)
        {
            counts.Add(queue.Count());
        }

        return new TimerServiceSnapshot
        {
            Pending = counts.Pending,
            Scheduled = counts.Scheduled,
            Fired = fired,
            Cancelled = counts.Cancelled,
            Skipped = counts.Skipped,
            Dropped = counts.Dropped,
            Failed = Dispatcher.Failed,
            Late = Dispatcher.Late,
            DriverWakeUps = Driver.WakeUps,
            Queues = queues.Length,
            TimeoutTokens = _timeoutTokens.Count,
        };
    }

    /// <summary>Lists pending timers: what they are, when they are due, and what they call.</summary>
    /// <param name="maxCount">The maximum number of timers to list; positive.</param>
    /// <returns>The timers, in no particular order. If there are more, all threads get an equal share.</returns>
    /// <remarks>
    /// The cost grows with the timers listed and the cancelled timers met on the way. No thread waits longer than it
    /// takes to read 128 timers. A timer that stays pending during the call is listed once. One that is rescheduled,
    /// fires periodically or comes near its due time may be listed twice, or be missing if its due time has changed.
    /// Timers that outlive the disposed service are not listed.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxCount"/> is not positive.</exception>
    public IReadOnlyList<PendingTimer> GetPending(int maxCount)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(maxCount);
        return PendingTimerReader.Read(_queues.All, Clock, maxCount);
    }

    /// <summary>Ends the service without waiting. May be called from a callback.</summary>
    /// <remarks>
    /// Delays end as with <see cref="StopAsync"/>. For other timers, see the remarks of the class. Called from a
    /// callback, it does not stop those that expired together with it.
    /// </remarks>
    public void Dispose()
    {
        // Every caller enters the phase, not just the first, so that no timer is taken out for firing after any Dispose
        // call has returned.
        var isFirst = Interlocked.Exchange(ref _isDisposed, 1) == 0;
        var queues = _queues.EnterPhase(ServicePhase.Disposed);
        if (!isFirst)
        {
            return;
        }

        try
        {
            QueueRegistry.EndPhase(queues, ServicePhase.Disposed);
        }
        finally
        {
            Array.ForEach(queues, static queue => queue.Close());
            Driver.Dispose();
            Dispatcher.Close();
            _metrics.Dispose();
        }
    }

    /// <summary>Ends the service as <see cref="Dispose"/> does, then waits for running callbacks.</summary>
    /// <returns>
    /// A task that completes when no callback runs, except those that call this method and those of timers that outlive
    /// the service. While all pool threads are busy, it may wait for one even though no callback runs, because a work
    /// item of the service is still queued.
    /// </returns>
    public ValueTask DisposeAsync()
    {
        Dispose();
        return new ValueTask(Dispatcher.WaitForOthersAsync());
    }

    /// <summary>Starts a delay that either token ends. The observer is notified if the delay has to wait.</summary>
    internal ValueTask Delay(
        TimeSpan dueTime,
        DelayOptions options,
        CancellationToken cancellationToken,
        CancellationToken scope,
        DelayObserver? observer = null)
    {
        dueTime = DueTime.Normalize(dueTime);
        if (cancellationToken.IsCancellationRequested || scope.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken.IsCancellationRequested ? cancellationToken : scope);
        }

        if (dueTime == TimeSpan.Zero && !EndsAtOnce(options))
        {
            return default;
        }

        return StartDelay(dueTime, options, cancellationToken, scope, observer).AsValueTask();
    }

    /// <summary>Starts a delay for a caller that reads its result once.</summary>
    internal DelayEntry StartDelay(
        TimeSpan dueTime,
        DelayOptions options,
        CancellationToken cancellationToken,
        CancellationToken scope,
        DelayObserver? observer = null) =>
        DelayEntry.Begin(QueueRegistry.Current(_queues), dueTime, options, cancellationToken, scope, observer);

    /// <summary>Schedules a callback that runs on time even after the service has been disposed.</summary>
    internal ScheduledTimer ScheduleToOutlive(TimerCallback callback, object? state, TimeSpan dueTime) =>
        CallbackEntry.Schedule(
            QueueRegistry.CurrentOrClosed(_queues), callback, state, dueTime, CallbackEntry.OutlivesService);

    private bool EndsAtOnce(DelayOptions options) =>
        IsDisposed || (Volatile.Read(ref _isStopped) != 0 && (options & DelayOptions.SurvivesStop) == 0);

    private static void ThrowIfUnfit(TimeProvider clock)
    {
        // If a clock's timers and timestamps disagree, timers fire at the wrong time or never. Code that is compiled
        // ahead of time cannot see which methods a clock overrides, but the mistake is made in tests, which are not
        // compiled that way.
        if (!RuntimeFeature.IsDynamicCodeSupported)
        {
            return;
        }

        var hasTimers = ((Func<TimerCallback, object?, TimeSpan, TimeSpan, ITimer>)clock.CreateTimer)
            .Method.DeclaringType != typeof(TimeProvider);
        var hasTimestamps = ((Func<long>)clock.GetTimestamp).Method.DeclaringType != typeof(TimeProvider);
        if (hasTimers && !hasTimestamps)
        {
            throw new ArgumentException(
                $"The clock {clock.GetType()} overrides CreateTimer but not GetTimestamp, so its timers and "
                + "timestamps disagree. Override both.",
                nameof(clock));
        }
    }
}
