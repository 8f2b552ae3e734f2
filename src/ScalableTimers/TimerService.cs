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
/// nothing in a steady state. With nothing due soon, the service sleeps.
/// </para>
/// <para>
/// <b>Accuracy.</b> Measured by <see cref="TimeProvider.GetTimestamp"/>, a timer never fires before its due time. It
/// expires at most one <see cref="ScalableTimerOptions.Resolution"/> later, plus the time the system takes to wake a
/// thread. Then it waits for a pool thread. Zero is due at once. A value of -1 in whole milliseconds is infinite.
/// </para>
/// <para>
/// <b>Order.</b> Timers fire in no particular order within a tick, and concurrently. With a clock other than
/// <see cref="TimeProvider.System"/>, in virtual time, they fire one by one inside that clock's timer callback, in
/// deadline order and then in scheduling order. When the clock's advance returns, everything due has run. This holds
/// while one thread advances the clock and no other schedules. If several advance it, or if the clock runs its timer
/// callbacks on several threads, each of these callbacks fires the due timers it finds, concurrently with the others.
/// </para>
/// <para>
/// <b>Threads.</b> All members may be called concurrently, from any thread and from callbacks. Callbacks run where
/// <see cref="ScalableTimerOptions.CallbackThread"/> says, with no lock held. On the pool, one that blocks occupies its
/// thread and delays no other timer. A change of the thread's priority lasts for the batch (up to 128 callbacks).
/// </para>
/// <para>
/// <b>Exceptions.</b> What a callback throws is counted. With a logger it is logged and affects no other timer. Without
/// one it ends the process, as with .NET's timers; in virtual time it reaches the code that advances the clock. The
/// same holds for registrations with a token that times out.
/// </para>
/// <para>
/// <b>Stopping.</b> <see cref="StopAsync"/> ends the delays; everything else continues. <see cref="Dispose"/> ends the
/// service: it drops the callbacks of <see cref="Schedule"/> and the timers of <see cref="CreateTimer"/>. Tokens and
/// timers of <see cref="TimeProvider"/>, pending or made later, still end on time: the clock has a timer for each.
/// A service that is not disposed keeps the thread that drives it.
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

    /// <summary>Creates a service. It owns no thread before its first timer.</summary>
    /// <param name="options">How to keep time; null for the defaults. Read once.</param>
    /// <param name="clock">
    /// The clock to keep time by; null for <see cref="TimeProvider.System"/>. Any other clock drives the service in
    /// virtual time. If its timestamps go back, no timer fires until they have caught up.
    /// </param>
    /// <param name="logger">Where to log; null for nowhere. Then an exception of a callback ends the process.</param>
    /// <param name="meterFactory">Creates the meter "ScalableTimers"; null for one that services share.</param>
    /// <exception cref="ArgumentException">
    /// An option is out of its range, the clock has timers but no timestamps of its own, or the clock's timestamps
    /// count so fast that due times would be limited to less than ten years.
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
    /// whatever else takes one. Time, time zone and timestamps are those of the service's clock. Creating a timer
    /// allocates; changing and disposing it do not. A periodic timer stays on the grid of its first due time, and all
    /// periods missed during a pause share one firing. As with .NET's timers, callbacks run in the
    /// <see cref="ExecutionContext"/> captured when the timer was created, and a callback that outlasts its period runs
    /// again concurrently with itself. After <c>Dispose</c> the timer starts no callback. A callback that was about to
    /// run on another thread may still begin; <c>DisposeAsync</c> waits for it, unless it is called by it.
    /// </remarks>
    public TimeProvider TimeProvider { get; }

    /// <summary>What tells the service from others of its process, in instruments.</summary>
    internal KeyValuePair<string, object?>[] Tags { get; }

    internal TickClock Clock { get; }

    internal FiringDispatcher Dispatcher { get; }

    /// <summary>Called before <see cref="StopAsync"/> ends the delays. It must not throw.</summary>
    internal Action? Stopping { get; set; }

    internal TimerDriver Driver { get; }

    /// <summary>Whether callbacks run one by one, inside a call of the clock.</summary>
    internal bool FiresInOrder => _queues.IsShared;

    internal bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    /// <summary>Waits for a duration.</summary>
    /// <param name="dueTime">How long, at least. Zero completes at once, and infinite waits until cancelled.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A task that completes when the time has passed. Await it only once.</returns>
    /// <remarks>Allocates nothing in a steady state, except the exception when a delay is cancelled.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">The duration is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">
    /// The token was cancelled, or the service was stopped. The exception carries the token only in the first case.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    public ValueTask Delay(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        Delay(dueTime, DelayOptions.None, cancellationToken, scope: default);

    /// <summary>Waits for a duration, and reports whether it passed. Allocates nothing in a steady state.</summary>
    /// <param name="dueTime">How long, at least. Zero completes at once, and infinite waits until cancelled.</param>
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
    /// <param name="dueTime">How long, at least. If infinite, it waits to be rescheduled.</param>
    /// <returns>The timer, which can be cancelled or rescheduled; it may be ignored.</returns>
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
    /// <param name="dueTime">How long until the first firing, at least. If infinite, it waits for a change.</param>
    /// <param name="period">The time between firings. If it is zero or infinite, the timer fires once.</param>
    /// <param name="tolerance">Extra lateness that is accepted so that timers fire together, zero or positive.</param>
    /// <remarks>
    /// <para><b>Cost.</b> Creating a timer allocates; changing, firing and disposing it do not.</para>
    /// <para>
    /// <b>Accuracy.</b> The timer fires at the moments due time + k × period, counted from its creation or last
    /// change, and does not drift. All moments that pass during a pause share one firing. So do moments that fall into
    /// the same tick because the period is shorter than the resolution. Moments without a firing of their own are
    /// counted as <see cref="TimerServiceSnapshot.Skipped"/>. In virtual time every moment has its own firing.
    /// </para>
    /// <para>
    /// With a tolerance, the service chooses the moment that most timers can share, so there are fewer wake-ups and
    /// more lateness. The grid of a periodic timer does not move. A tolerance of one period or more delays a firing at
    /// most until just before the next one is due, so no firing is lost.
    /// </para>
    /// <para>
    /// <b>Order.</b> The callback is never re-entered. A firing that comes due while it runs, or waits for a thread, is
    /// skipped, unless that firing is the last. The last firing waits until the callback has returned. For firings that
    /// overlap, use a timer of <see cref="TimeProvider"/>.
    /// </para>
    /// <para>
    /// <b>Stopping.</b> The service keeps a timer alive while it is armed, and no longer. After the timer or the
    /// service has been disposed, it starts no callback and <see cref="ITimer.Change"/> returns false. A callback that
    /// was about to run on another thread may still begin. <c>Dispose</c> does not wait for it; <c>DisposeAsync</c>
    /// waits for callbacks that are running or about to run, except those that call it.
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

    /// <summary>Gets a token that is cancelled when a timeout has passed. All who time out together share it.</summary>
    /// <param name="timeout">How long, at least. With zero the token is cancelled, with infinite it never is.</param>
    /// <remarks>
    /// The token is never early, and at most one <see cref="ScalableTimerOptions.TimeoutTokenBucket"/> plus one
    /// resolution late. Neither locks nor allocates when it already exists. It stays in memory until its time has come,
    /// with each registration that is not disposed. All registrations are called one after the other, on one thread. So
    /// one that blocks or takes long delays those behind it; one that throws does not. Where registrations are not
    /// trivial, create a source of your own over <see cref="TimeProvider"/>.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">The duration is negative and not infinite.</exception>
    public CancellationToken GetTimeoutToken(TimeSpan timeout) => _timeoutTokens.Get(timeout);

    /// <summary>The first step of stopping: ends every delay. Everything else continues.</summary>
    /// <returns>
    /// A task that completes when every pending delay has ended: <see cref="Delay(TimeSpan, CancellationToken)"/> with
    /// an <see cref="OperationCanceledException"/>, and <see cref="TryDelay"/> with false. Later delays end so at once.
    /// </returns>
    /// <remarks>
    /// Code that awaits the delays resumes on the pool. In virtual time it resumes within this call; if it calls this
    /// method itself, it gets a task that does not complete until the first call returns. This method may be called
    /// more than once, and after <see cref="Dispose"/>. Delays that another thread's <see cref="Dispose"/> is ending
    /// meanwhile may end shortly after.
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

    /// <summary>Gets what the service has done so far.</summary>
    /// <returns>The figures, read one after the other. Each is exact, except for calls that are in progress.</returns>
    public TimerServiceSnapshot GetSnapshot()
    {
        // Read before the queues: a timer fires after its queue has counted it as expired. So no timer is in
        // two figures, and the figures add up.
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
    /// <param name="maxCount">The most timers to list, positive.</param>
    /// <returns>The timers in no particular order. If there are more, each thread's get an equal share.</returns>
    /// <remarks>
    /// The cost is proportional to the number listed, and to the cancelled timers that are met on the way. No thread
    /// waits for longer than it takes to read 128 timers. A timer that is pending during the whole call is listed once.
    /// One that is rescheduled, fires periodically or comes near meanwhile may be listed twice, or missing if its due
    /// time has changed. Timers that outlive the disposed service are not listed.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxCount"/> is not positive.</exception>
    public IReadOnlyList<PendingTimer> GetPending(int maxCount)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(maxCount);
        return PendingTimerReader.Read(_queues.All, Clock, maxCount);
    }

    /// <summary>Ends the service. Waits for nothing, and may be called from a callback.</summary>
    /// <remarks>Delays end as they do with <see cref="StopAsync"/>. See the class for other timers.</remarks>
    public void Dispose()
    {
        // Every caller enters the phase, not only the first, so that no timer is taken out for firing after any Dispose
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

    /// <summary>Ends the service as <see cref="Dispose"/> does, then waits for callbacks that are running.</summary>
    /// <returns>
    /// A task that completes when no callback runs, except those that call this method and those of timers that outlive
    /// the service. While all pool threads are busy, it may wait for one of them although no callback runs: the
    /// pool's queue still holds a work item of the service.
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

    /// <summary>Schedules a callback that runs on time after the service has been disposed, too.</summary>
    internal ScheduledTimer ScheduleToOutlive(TimerCallback callback, object? state, TimeSpan dueTime) =>
        CallbackEntry.Schedule(
            QueueRegistry.CurrentOrClosed(_queues), callback, state, dueTime, CallbackEntry.OutlivesService);

    private bool EndsAtOnce(DelayOptions options) =>
        IsDisposed || (Volatile.Read(ref _isStopped) != 0 && (options & DelayOptions.SurvivesStop) == 0);

    private static void ThrowIfUnfit(TimeProvider clock)
    {
        // If a clock's timers and timestamps follow different times, timers would fire at the wrong time or never. In
        // code that is compiled ahead of time there is no way to see which methods a clock overrides. But the mistake
        // is made in tests, and tests are not compiled ahead of time.
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
                $"The clock {clock.GetType()} overrides CreateTimer but not GetTimestamp, so its timers and its "
                + "timestamps follow different times. Override both.",
                nameof(clock));
        }
    }
}
