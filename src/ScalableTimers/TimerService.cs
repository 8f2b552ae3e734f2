using System.Diagnostics.CodeAnalysis;
using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Collections;
using ScalableTimers.Driving;
using ScalableTimers.Firing;
using ScalableTimers.Metrics;
using ScalableTimers.Timeouts;
using ScalableTimers.Timers;

namespace ScalableTimers;

/// <summary>
/// Timers by the million: delays, callbacks, timeouts and a <see cref="System.TimeProvider"/>, all driven by one
/// wake-up source.
/// </summary>
/// <remarks>
/// <para>
/// <b>Cost.</b> Scheduling, cancelling and firing take constant time, however many timers are pending, and allocate
/// nothing in a steady state. Nothing scans what is not due: with nothing due soon the service sleeps.
/// </para>
/// <para>
/// <b>Accuracy.</b> A timer never fires before its due time by <see cref="TimeProvider.GetTimestamp"/>. It expires at
/// most one <see cref="ScalableTimerOptions.Resolution"/> later, plus what the system takes to wake a thread. Then it
/// waits for a thread of the pool.
/// </para>
/// <para>
/// <b>Order.</b> Timers fire in no particular order within a tick, and concurrently. With a clock other than
/// <see cref="TimeProvider.System"/> they fire one by one inside that clock's timer callback, in deadline order and
/// then in scheduling order, unless <see cref="ScalableTimerOptions.Firing"/> says otherwise, or the clock rings on
/// several threads at once (<see cref="FiringMode.InOrder"/>).
/// </para>
/// <para>
/// <b>Threads.</b> All members may be called concurrently, from any thread and from callbacks. Each thread schedules
/// into a collection of its own. Callbacks run with no lock held, on the pool; one that blocks occupies its pool thread
/// and holds up no other timer. A priority that a callback gives its thread lasts for the rest of its batch, of up to
/// 128 callbacks: .NET puts it back after each item of the pool. <see cref="FiringMode.DriverThread"/> runs them on a
/// thread of the service, for less processor time.
/// </para>
/// <para>
/// <b>Stopping.</b> <see cref="StopAsync"/> ends the delays; everything else goes on. <see cref="Dispose"/> ends the
/// service: it drops what <see cref="Schedule"/> scheduled and the timers of <see cref="CreateTimer"/>, and hands the
/// timers of <see cref="TimeProvider"/> to the clock.
/// </para>
/// </remarks>
public sealed partial class TimerService : IDisposable, IAsyncDisposable
{
    private readonly ILogger _logger;
    private readonly CollectionRegistry _collections;
    private readonly TimeoutTokens _timeoutTokens;
    private readonly TimeoutLeases _timeoutLeases;
    private readonly Publication<TimerService> _metrics;
    private readonly TaskCompletionSource _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _isStopped;
    private int _isDisposed;

    /// <summary>Creates a service. It owns no thread before its first timer.</summary>
    /// <param name="options">How to keep time; null for the defaults. Read once.</param>
    /// <param name="clock">
    /// The clock to keep time by; null for <see cref="TimeProvider.System"/>. Any other drives the service in virtual
    /// time. Its timestamps must not go back: if they do, no timer fires until they have caught up.
    /// </param>
    /// <param name="logger">Where to log; null for nowhere.</param>
    /// <param name="meterFactory">What makes the meter "ScalableTimers"; null for a meter of the service's own.</param>
    /// <exception cref="ArgumentException">
    /// An option is out of its range, the clock has timers but no timestamps of its own, or its timestamps count so
    /// fast that due times would be cut below ten years.
    /// </exception>
    public TimerService(
        ScalableTimerOptions? options = null,
        TimeProvider? clock = null,
        ILogger<TimerService>? logger = null,
        IMeterFactory? meterFactory = null)
    {
        options ??= new ScalableTimerOptions();
        clock ??= TimeProvider.System;
        var isSystemClock = ReferenceEquals(clock, TimeProvider.System);
        ThrowIfInvalid(options, isSystemClock);
        ThrowIfUnfit(clock);

        _logger = new NonThrowingLogger(logger ?? (ILogger)NullLogger.Instance);
        Clock = new TickClock(clock, options.Resolution);
        FiresInOrder = !isSystemClock && options.Firing != FiringMode.ThreadPool;
        TimeProvider = new ScalableTimeProvider(this, clock);
        var kind = options.Driver == TimerDriverKind.Auto && isSystemClock ? TimerDriverKind.Thread : options.Driver;
        Dispatcher = new FiringDispatcher(Clock, _logger);
        _collections = new CollectionRegistry(Clock, Dispatcher, isShared: FiresInOrder, _logger);
        Driver = new TimerDriver(_collections, kind, options.Firing == FiringMode.DriverThread, _logger);
        _collections.Driver = Driver;
        _timeoutTokens = new TimeoutTokens(this, options, _logger);
        _timeoutLeases = new TimeoutLeases(this, _logger);
        _metrics = TimerMetrics.Publish(this, meterFactory);
    }

    /// <summary>Gets a time provider whose timers this service drives.</summary>
    public TimeProvider TimeProvider { get; }

    internal TickClock Clock { get; }

    internal FiringDispatcher Dispatcher { get; }

    internal TimerDriver Driver { get; }

    /// <summary>Whether timers fire one by one in deadline order inside the clock's own callback.</summary>
    internal bool FiresInOrder { get; }

    internal bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    /// <summary>Waits for a duration.</summary>
    /// <param name="dueTime">
    /// How long, at least. Zero is over at once; whole milliseconds of -1 wait until cancelled.
    /// </param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>
    /// A task to be awaited once, that completes when the time has passed. It resumes where its awaiter asks.
    /// </returns>
    /// <remarks>Allocates nothing in a steady state, except the exception of a cancelled one.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="dueTime"/> is negative and not infinite.
    /// </exception>
    /// <exception cref="OperationCanceledException">
    /// The token was cancelled, or the service was stopped; only the former carries the token.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    public ValueTask Delay(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        Delay(dueTime, DelayOptions.None, cancellationToken, scope: default);

    /// <summary>Waits for a duration, and says whether it passed.</summary>
    /// <param name="dueTime">
    /// How long, at least. Zero is over at once; whole milliseconds of -1 wait until cancelled.
    /// </param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>
    /// A task to be awaited once: true when the time has passed, false when the token was cancelled or the service
    /// stopped.
    /// </returns>
    /// <remarks>Allocates nothing in a steady state, however it ends.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="dueTime"/> is negative and not infinite.
    /// </exception>
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
    /// <param name="callback">What to run. It does not capture the <see cref="ExecutionContext"/>.</param>
    /// <param name="state">What to pass to it.</param>
    /// <param name="dueTime">
    /// How long from now, at least. Zero runs it as soon as possible; whole milliseconds of -1 only after
    /// <see cref="ScheduledTimer.Reschedule"/>.
    /// </param>
    /// <returns>The timer, to cancel or reschedule it by; it may be ignored.</returns>
    /// <remarks>An exception of the callback is logged and counted.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="dueTime"/> is negative and not infinite.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    public ScheduledTimer Schedule(TimerCallback callback, object? state, TimeSpan dueTime)
    {
        ArgumentNullException.ThrowIfNull(callback);
        var entry = CallbackEntry.Schedule(
            CurrentCollection(), callback, state, DueTime.Normalize(dueTime), out var life);
        return new ScheduledTimer(entry, life);
    }

    /// <summary>Creates a timer that fires periodically, or once, and may be changed.</summary>
    /// <param name="callback">What to run.</param>
    /// <param name="state">What to pass to it.</param>
    /// <param name="dueTime">
    /// How long from now until the first firing, at least. Zero fires as soon as possible; whole milliseconds of -1 not
    /// until <see cref="ITimer.Change"/>.
    /// </param>
    /// <param name="period">The time between moments of firing. Zero, and whole milliseconds of -1, fire once.</param>
    /// <param name="options">
    /// What lateness is tolerated and whether callbacks may overlap; null for neither. Read once.
    /// </param>
    /// <returns>The timer.</returns>
    /// <remarks>
    /// <para>
    /// <b>Cost.</b> Creating it allocates it; changing, firing and disposing allocate nothing. With a
    /// <see cref="PeriodicTimerOptions.Tolerance"/> timers share wake-ups.
    /// </para>
    /// <para>
    /// <b>Accuracy.</b> It fires at the moments due time + k × period, counted from its creation or last change; each
    /// is rounded up to a tick by itself, so it does not drift. After a pause the moments that have passed are one
    /// firing, and so are those that fall into one tick because the period is shorter than the resolution. Moments
    /// without a firing are counted as <see cref="TimerServiceSnapshot.Skipped"/>. In virtual time every moment has its
    /// firing.
    /// </para>
    /// <para>
    /// <b>Order.</b> A firing that comes while the callback runs, or waits for a thread, is skipped, unless
    /// <see cref="PeriodicTimerOptions.Overlap"/> allows it or it is the last; the last one waits until the callback
    /// has returned.
    /// </para>
    /// <para>
    /// <b>Threads.</b> As all members of the service. The <see cref="ExecutionContext"/> is not captured: a periodic
    /// timer outlives the request that creates it, and would keep that request's state alive. Timers of
    /// <see cref="TimeProvider"/> capture it.
    /// </para>
    /// <para>
    /// <b>Stopping.</b> An armed timer is kept alive by the service, however it is held; one that is stopped and
    /// dropped can be collected. After <c>Dispose</c> the timer starts no callback and <see cref="ITimer.Change"/>
    /// returns false. As with .NET's timers, a callback that was about to run on another thread may still begin, and
    /// <c>Dispose</c> does not wait. <c>DisposeAsync</c> waits for callbacks that run or are about to, the calling one
    /// included, so a callback must not block on it. Disposing the service does the same to all its timers.
    /// </para>
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="dueTime"/> or <paramref name="period"/> is negative and not infinite.
    /// </exception>
    /// <exception cref="ArgumentException">An option is out of its range.</exception>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    public ITimer CreateTimer(
        TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period, PeriodicTimerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(callback);
        options ??= PeriodicTimerOptions.Default;
        options.ThrowIfInvalid(nameof(options));
        var timer = new ServiceTimer(CurrentCollection(), callback, state, options);
        try
        {
            if (!timer.Change(dueTime, period))
            {
                CollectionRegistry.ThrowDisposed();
            }

            return timer;
        }
        catch
        {
            // Nobody gets it. It may be linked all the same, if the clock has failed to be set.
            timer.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Gets a token that is cancelled when a timeout has passed, shared by all whose timeouts end at about the same
    /// time.
    /// </summary>
    /// <param name="timeout">
    /// How long, at least. Zero gives a cancelled token, whole milliseconds of -1 one that is never cancelled.
    /// </param>
    /// <returns>
    /// A token that is cancelled no earlier than asked and at most one
    /// <see cref="ScalableTimerOptions.TimeoutTokenBucket"/> plus one resolution later.
    /// </returns>
    /// <remarks>
    /// <para>
    /// Neither locks nor allocates when the token exists already. The tokens of timeouts that are used again and again
    /// are made ahead; see <see cref="ScalableTimerOptions.TimeoutTokenReuseWindow"/>.
    /// </para>
    /// <para>
    /// One source cancels all sharers, one after the other, on one thread of the pool: a registration that blocks or
    /// takes long delays all those behind it. Where registrations are not trivial use <see cref="RentTimeout"/>, which
    /// cancels each on its own. An exception of a registration is logged and counted, and the others are called.
    /// </para>
    /// <para>The token lives until its time has come, and so does every registration that is not disposed.</para>
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="timeout"/> is negative and not infinite, or longer than 4,294,967,294 milliseconds.
    /// </exception>
    public CancellationToken GetTimeoutToken(TimeSpan timeout) => _timeoutTokens.Get(timeout);

    /// <summary>
    /// Rents a token for one operation, that is cancelled when a timeout has passed or another token is cancelled.
    /// </summary>
    /// <param name="timeout">
    /// How long, at least. Zero gives a cancelled token; whole milliseconds of -1 wait for the other token alone.
    /// </param>
    /// <param name="cancellationToken">The caller's token.</param>
    /// <returns>
    /// What to dispose when the operation ends: <c>using var lease = timers.RentTimeout(timeout,
    /// cancellationToken);</c>
    /// </returns>
    /// <remarks>
    /// In place of <c>new CancellationTokenSource(timeout)</c>. Allocates nothing in a steady state, and an operation
    /// that ends in time leaves nothing behind; where tokens of <see cref="GetTimeoutToken"/> keep every registration
    /// until their time has come.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="timeout"/> is negative and not infinite.
    /// </exception>
    public TimeoutLease RentTimeout(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        _timeoutLeases.Rent(timeout, cancellationToken);

    /// <summary>First step of stopping: ends every delay. Everything else goes on.</summary>
    /// <param name="cancellationToken">Not needed: stopping does not wait.</param>
    /// <returns>
    /// A completed task, or, while another thread stops the service, one that completes when it has. Every pending
    /// <see cref="Delay(TimeSpan, CancellationToken)"/> has ended with an <see cref="OperationCanceledException"/>,
    /// every <see cref="TryDelay"/> with false, and so does each that is begun later.
    /// </returns>
    /// <remarks>
    /// What awaits the delays resumes on the pool; in virtual time within this call, and what calls this method there
    /// gets a task that is not completed until the first call returns. May be called more than once, and after
    /// <see cref="Dispose"/>.
    /// </remarks>
    public Task StopAsync(CancellationToken cancellationToken = default)
    {
        if (Interlocked.Exchange(ref _isStopped, 1) == 0)
        {
            var ended = _collections.EndPhase(_collections.EnterPhase(ServicePhase.Stopping), ServicePhase.Stopping);
            LogStopped(_logger, ended);
            _stopped.SetResult();
        }

        return _stopped.Task;
    }

    /// <summary>Gets what the service has done so far.</summary>
    /// <returns>The figures, taken one after the other; each is exact but for calls that are under way.</returns>
    public TimerServiceSnapshot GetSnapshot()
    {
        var counts = default(CollectionCounts);
        var collections = _collections.All;
        foreach (var collection in collections)
        {
            counts.Add(collection.Count());
        }

        return new TimerServiceSnapshot
        {
            Pending = counts.Pending,
            Scheduled = counts.Scheduled,
            Fired = Dispatcher.Fired,
            Cancelled = counts.Cancelled,
            Skipped = counts.Skipped,
            Dropped = counts.Dropped,
            HandedOver = counts.HandedOver,
            Failed = Dispatcher.Failed,
            Late = Dispatcher.PoolWaits,
            LongestPoolWait = Dispatcher.LongestPoolWait,
            LongestDriverLag = Driver.LongestLag,
            DriverWakeUps = Driver.WakeUps,
            Collections = collections.Length,
            TimeoutTokens = _timeoutTokens.Count,
            FailedRegistrations = _timeoutTokens.FailedRegistrations + _timeoutLeases.FailedRegistrations,
        };
    }

    /// <summary>Ends the service. Waits for nothing, and may be called from a callback.</summary>
    /// <remarks>
    /// Delays end as by <see cref="StopAsync"/>. Scheduled callbacks and timers of <see cref="CreateTimer"/> are
    /// dropped. Timers of <see cref="TimeProvider"/> and timeout tokens are driven by the clock from now on: still on
    /// time, never early, never lost.
    /// </remarks>
    public void Dispose()
    {
        // Also by those who come second, so that nothing is taken out to be fired when they return.
        var isFirst = Interlocked.Exchange(ref _isDisposed, 1) == 0;
        var collections = _collections.EnterPhase(ServicePhase.Disposed);
        if (!isFirst)
        {
            return;
        }

        try
        {
            _timeoutTokens.EndAhead();
            _timeoutLeases.End();
            _ = _collections.EndPhase(collections, ServicePhase.Disposed);
            Driver.Dispose();
        }
        finally
        {
            // A clock's timer may throw when it is disposed.
            _metrics.Dispose();
        }

        var dropped = GetSnapshot().Dropped;
        LogDisposed(_logger, dropped);
    }

    /// <summary>Ends the service as <see cref="Dispose"/> does, then waits for callbacks that are running.</summary>
    /// <returns>A task that completes when no callback runs, those on the calling thread excepted.</returns>
    /// <remarks>
    /// While all threads of the pool are busy it may also wait for one of them, though no callback runs: something of
    /// the service is in the pool's queue then, and whether a callback is left for it shows when a thread comes for it.
    /// </remarks>
    public ValueTask DisposeAsync()
    {
        Dispose();
        return new ValueTask(Dispatcher.WaitForOthersAsync());
    }

    internal TimerCollection CurrentCollection() => _collections.Current();

    /// <summary>Finds the calling thread's collection; false if the service has been disposed.</summary>
    internal bool TryGetCurrentCollection([NotNullWhen(true)] out TimerCollection? collection) =>
        _collections.TryGetCurrent(out collection);

    /// <summary>Logs and counts what was thrown by registrations with a token that a timeout has cancelled.</summary>
    internal void ReportFailedRegistrations(AggregateException thrown) => _timeoutLeases.Report(thrown);

    /// <summary>
    /// A delay that either of two tokens ends, without a linked source. The observer hears of it if it has to wait.
    /// </summary>
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

    /// <summary>Begins a delay for a caller that reads it once.</summary>
    internal DelayEntry StartDelay(
        TimeSpan dueTime,
        DelayOptions options,
        CancellationToken cancellationToken,
        CancellationToken scope,
        DelayObserver? observer = null) =>
        DelayEntry.Begin(CurrentCollection(), dueTime, options, cancellationToken, scope, observer);

    /// <summary>A delay as a task that outlives the service: see <see cref="DetachedDelay"/>.</summary>
    /// <param name="dueTime">Positive and not infinite.</param>
    /// <param name="cancellationToken">Ends the delay.</param>
    internal Task<bool> BeginDetachedDelay(TimeSpan dueTime, CancellationToken cancellationToken) =>
        DetachedDelay.Begin(_collections, dueTime, cancellationToken);

    private bool EndsAtOnce(DelayOptions options) =>
        IsDisposed || (Volatile.Read(ref _isStopped) != 0 && (options & DelayOptions.SurvivesStop) == 0);

    private static void ThrowIfInvalid(ScalableTimerOptions options, bool isSystemClock)
    {
        var errors = options.Errors().ToList();
        if (options.Driver == TimerDriverKind.Thread && !isSystemClock)
        {
            errors.Add(
                $"{nameof(ScalableTimerOptions)}.{nameof(ScalableTimerOptions.Driver)} is {options.Driver}, which "
                + $"sleeps by the system clock; with another clock it must be {TimerDriverKind.Auto} or "
                + $"{TimerDriverKind.Timer}.");
        }

        if (options.Firing == (isSystemClock ? FiringMode.InOrder : FiringMode.DriverThread))
        {
            var needs = isSystemClock ? "a clock other than the system's" : "the system clock";
            var others = Enum.GetValues<FiringMode>().Where(mode => mode != options.Firing);
            errors.Add(
                $"{nameof(ScalableTimerOptions)}.{nameof(ScalableTimerOptions.Firing)} is {options.Firing}, which "
                + $"needs {needs}; with this one it must be one of {string.Join(", ", others)}.");
        }

        if (errors.Count > 0)
        {
            throw new ArgumentException(string.Join(" ", errors), nameof(options));
        }
    }

    private static void ThrowIfUnfit(TimeProvider clock)
    {
        // Timers of one time beside timestamps of another would fire at the wrong time, or never. Which methods a clock
        // overrides cannot be told where code is compiled ahead of time; the mistake is one of tests, which are not.
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
                + "timestamps are of different times. Override both.",
                nameof(clock));
        }
    }
}
