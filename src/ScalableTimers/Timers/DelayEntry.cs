using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;
using ScalableTimers.Firing;
using ScalableTimers.Queues;

namespace ScalableTimers.Timers;

/// <summary>
/// A pooled awaitable that completes at its deadline, or earlier when one of two tokens is cancelled or the service
/// stops.
/// </summary>
/// <remarks>
/// An entry's life: it is rented, registered with its tokens, started, completed once, read once and returned. A
/// compare-exchange of its <see cref="EntryState"/> decides which thread completes it. The entry goes back to the pool
/// only when its registrations are gone and none of their callbacks is running, so a late cancellation cannot reach the
/// next user.
/// </remarks>
internal sealed class DelayEntry(TimerQueue queue)
    : QueueEntry(queue), IResumption, IThreadPoolWorkItem, IValueTaskSource, IValueTaskSource<bool>
{
    /// <summary>The longest delay of a service that has been stopped, or of a scope that has ended.</summary>
    private static readonly TimeSpan s_lastDelay = TimeSpan.FromSeconds(1);

    private static readonly TimerCallback s_completeCancelled =
        static entry => Unsafe.As<DelayEntry>(entry!).CompleteCancelled();
    private static readonly Action<object?> s_cancelByToken =
        static entry => Unsafe.As<DelayEntry>(entry!).Cancel(DelayOutcome.CancelledByToken);
    private static readonly Action<object?> s_cancelByScope =
        static entry => Unsafe.As<DelayEntry>(entry!).Cancel(DelayOutcome.CancelledByScope);

    // Guards
    //   _word                   see EntryState
    //   _core, _token, _scope   the thread that completes the delay, then the thread that reads it; the completion
    //                           itself hands them over
    private EntryState _word;
    private ManualResetValueTaskSourceCore<bool> _core;
    private CancellationTokenRegistration _token;
    private ScopeRegistration? _scope;

    /// <summary>
    /// Starts a delay for a caller that reads its result once. Called by the queue's owner, or by any thread if
    /// all threads share the queue.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    internal static DelayEntry Begin(
        TimerQueue queue,
        TimeSpan dueTime,
        DelayOptions options,
        DelayScope? scope,
        CancellationToken token)
    {
        var phase = queue.Phase;
        if (phase == ServicePhase.Disposed)
        {
            QueueRegistry.ThrowDisposed();
        }

        if (phase != ServicePhase.Running && (options & DelayOptions.SurvivesStop) == 0)
        {
            // It takes its time before it ends as cancelled: a loop that catches every exception must not become a hot
            // one.
            options |= DelayOptions.BegunAfterStop;
            dueTime = LimitAfterEnd(dueTime);
        }

        var deadlineTick = queue.Clock.DeadlineTick(dueTime);
        scope?.OnBegun();
        var entry = Rent(queue);
        entry.Prepare(options, scope, token);
        entry.Start(options, deadlineTick, token);
        return entry;
    }

    /// <summary>
    /// First step: takes an idle delay or creates one. If all threads share the queue, no thread keeps idle delays
    /// without the lock.
    /// </summary>
    internal static DelayEntry Rent(TimerQueue queue) =>
        Unsafe.As<DelayEntry?>(queue.Delays.TryTake() ?? PopFree(queue)) ?? new DelayEntry(queue);

    internal ValueTask AsValueTask() => new(this, _core.Version);

    internal ValueTask<bool> AsValueTaskOfBool() => new(this, _core.Version);

    /// <summary>
    /// Second step: registers the delay with what may cancel it. <see cref="Start"/> detects a cancellation that comes
    /// before the delay is live.
    /// </summary>
    internal void Prepare(DelayOptions options, DelayScope? scope, CancellationToken token)
    {
        if (scope is not null)
        {
            (_scope ??= new ScopeRegistration()).Enter(
                scope, s_cancelByScope, this, DelayScope.TokenOf(scope, options));
        }

        if (token.CanBeCanceled)
        {
            _token = token.UnsafeRegister(s_cancelByToken, this);
        }
    }

    /// <summary>Third step: the delay is live from now on. It may complete before this method returns.</summary>
    internal void Start(DelayOptions options, long deadlineTick, CancellationToken token)
    {
        var queue = Queue;
        var scope = _scope?.Token ?? default;
        var threadId = queue.SchedulerThreadId;
        queue.Enter(threadId);
        var hasEnded = EndsWith(queue.Phase, options);
        _word.BeginLocked((int)options, hasEnded);
        var wakes = !hasEnded && queue.LinkLocked(this, deadlineTick);
        queue.Exit(threadId);
        if (hasEnded)
        {
            Complete(DelayOutcome.Stopped, token: CancellationToken.None);
            return;
        }

        if (wakes)
        {
            queue.WakeDriver(deadlineTick);
        }

        // A cancellation that came before the delay was live had no effect. If it ran on another thread, it first
        // marked its token and then checked the state under the lock. This thread entered the lock later, so it sees
        // the mark.
        if (token.IsCancellationRequested)
        {
            CancelAtStart(DelayOutcome.CancelledByToken, token);
        }
        else if (scope.IsCancellationRequested)
        {
            CancelAtStart(DelayOutcome.CancelledByScope, token);
        }
    }

    /// <summary>
    /// Completes the delay. The caller has ended the delay's life, or never begun it, and holds no lock.
    /// </summary>
    /// <param name="outcome">How it ended.</param>
    /// <param name="continueOnPool">Whether the code that awaits the delay must not run on this thread.</param>
    /// <param name="token">
    /// The caller's token, if that ended it. One that is cancelled while the delay registers with it leaves no
    /// registration to read it from.
    /// </param>
    private void Complete(DelayOutcome outcome, bool continueOnPool = false, CancellationToken token = default)
    {
        var cancelledBy = outcome == DelayOutcome.CancelledByToken ? token : _scope?.Token ?? default;

        // A delay that is never awaited must not stay registered with a token that outlives it.
        if (_token.Unregister())
        {
            _token = default;
        }

        var reason = _scope?.Leave(outcome);

        // Read before completion: afterwards the entry may already be in its next life.
        var reportsCancellation = Is(DelayOptions.ReportCancellation);

        // A continuation may cancel the next delay's token, and so on: a chain too deep for the stack goes to the pool.
        _core.RunContinuationsAsynchronously =
            continueOnPool || !RuntimeHelpers.TryEnsureSufficientExecutionStack();
        if (outcome == DelayOutcome.Elapsed)
        {
            _core.SetResult(true);
        }
        else if (reportsCancellation)
        {
            _core.SetResult(false);
        }
        else
        {
            // The exception that Task.Delay throws, so that replacing Task.Delay breaks no handler.
            var message = reason ?? (outcome == DelayOutcome.Stopped
                ? "The timer service has been stopped."
                : "The delay was cancelled.");
            _core.SetException(new TaskCanceledException(message, innerException: null, cancelledBy));
        }
    }

    internal override bool TryExpireLocked(long nowTick, out FiringItem item)
    {
        item = new FiringItem(this);
        return TryEnd();
    }

    void IResumption.Resume()
    {
        if (Is(DelayOptions.BegunAfterStop))
        {
            FinishEnd();
            return;
        }

        Complete(DelayOutcome.Elapsed);
    }

    internal override bool TryReadLocked(out PendingEntry pending)
    {
        pending = new PendingEntry(PendingTimerKind.Delay, DeadlineTick, Callback: null, State: null);
        return EntryState.IsLive(_word.Read());
    }

    internal override ServiceEnd EndWithServiceLocked(ServicePhase phase) =>
        EndsWith(phase, (DelayOptions)_word.Options) && TryEnd() ? ServiceEnd.Cancelled : ServiceEnd.None;

    // In virtual time, the code that awaits the delay runs at once, so that a test that stops the service sees the
    // effect.
    internal override void FinishEnd() => Complete(DelayOutcome.Stopped, continueOnPool: !Queue.IsOrdered);

    void IValueTaskSource.GetResult(short token) => Read(token);

    bool IValueTaskSource<bool>.GetResult(short token) => Read(token);

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    // Called by the registrations' callbacks, inside the Cancel of whoever cancels the token. The code that awaits the
    // delay must not run there: Cancel's caller may hold locks, and the token may have other registrations. So it runs
    // on the pool, as after Task.Delay: if this thread is the pool's, perhaps here, but later. This method touches the
    // entry no more, which may already be in its next life.
    private void Cancel(DelayOutcome outcome)
    {
        if (TryEndAndUnlink())
        {
            if (outcome == DelayOutcome.CancelledByScope)
            {
                _scope!.HasCancelled = true;
            }

            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: true);
        }
    }

    void IThreadPoolWorkItem.Execute() => Queue.Dispatcher.Fire(new FiringItem(s_completeCancelled, this));

    // Handles a cancellation that comes while the delay is starting. Its registration is still in use: the callback may
    // not have run yet.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void CancelAtStart(DelayOutcome outcome, CancellationToken token)
    {
        if (TryEndAndUnlink())
        {
            Complete(outcome, token: token);
        }
    }

    // Unlinks the entry at once: the result may be read much later, or never.
    private bool TryEndAndUnlink()
    {
        var queue = Queue;
        var threadId = Environment.CurrentManagedThreadId;
        queue.Enter(threadId);
        var isOurs = TryEnd();
        if (isOurs)
        {
            queue.UnlinkLocked(this);
        }

        queue.Exit(threadId);
        return isOurs;
    }

    internal static TimeSpan LimitAfterEnd(TimeSpan dueTime) =>
        dueTime == Timeout.InfiniteTimeSpan || dueTime > s_lastDelay ? s_lastDelay : dueTime;

    /// <summary>Whether a delay ends when its service enters a phase, or is refused in it.</summary>
    internal static bool EndsWith(ServicePhase phase, DelayOptions options) => phase == ServicePhase.Disposed
        || (phase == ServicePhase.Stopping
            && (options & (DelayOptions.SurvivesStop | DelayOptions.BegunAfterStop)) == 0);

    private bool Is(DelayOptions option) => ((DelayOptions)_word.Options & option) != 0;

    // Ends the current life, unless it has ended or has not begun. The thread that ends it also completes the delay.
    // The state word stays "ended" until the result has been read.
    private bool TryEnd()
    {
        var life = _word.Read();
        return EntryState.IsLive(life) && _word.TryEnd(life, hasResult: true);
    }

    // Completes a delay that a registration has ended.
    private void CompleteCancelled()
    {
        if (_scope is { HasCancelled: true })
        {
            Complete(DelayOutcome.CancelledByScope);
            return;
        }

        // The registration is used up: its callback no longer touches the entry.
        var token = _token.Token;
        _token = default;
        Complete(DelayOutcome.CancelledByToken, token: token);
    }

    private bool Read(short token)
    {
        // A wrong token, an early read or a second one throws here, and leaves the entry to the reader that it belongs
        // to. The word is read before the token is checked: it is this life's, or claiming it fails.
        var life = _word.Read();
        if (_core.GetStatus(token) == ValueTaskSourceStatus.Pending || !_word.TryClaim(life))
        {
            throw new InvalidOperationException(
                "The delay's result was read before the delay ended, or twice. Await the ValueTask exactly once.");
        }

        try
        {
            return _core.GetResult(token);
        }
        finally
        {
            // Dispose waits for a callback that lost the race and has not yet returned. Called from within that
            // callback, Dispose does not wait.
            _token.Dispose();
            _token = default;
            _scope?.Dispose();
            _core.Reset();
            _word.Release();
            GiveBack();
        }
    }

    // Returns the entry, which is not linked, once its result has been read.
    private void GiveBack()
    {
        var queue = Queue;
        if (queue.IsCalledByOwner && queue.Delays.TryKeep(this))
        {
            return;
        }

        // When many delays elapse at once, leave most to the garbage collector, rather than wait for the lock that
        // other threads and the driver use.
        if (queue.Delays.IsFull)
        {
            return;
        }

        var threadId = Environment.CurrentManagedThreadId;
        queue.Enter(threadId);
        queue.Delays.PushLocked(this);
        queue.Exit(threadId);
    }

    private static QueueEntry? PopFree(TimerQueue queue)
    {
        if (!queue.Delays.HasFree)
        {
            return null;
        }

        var threadId = queue.SchedulerThreadId;
        queue.Enter(threadId);
        var entry = queue.Delays.TryPopLocked();
        queue.Exit(threadId);
        return entry;
    }
}
