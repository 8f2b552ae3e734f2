using System.Threading.Tasks.Sources;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore{TResult}"/>, which keeps the result.
/// Its continuations would run on real pool threads, and inside it completion and registration would meet without a
/// scheduling point. Contexts are not captured.
/// </summary>
internal struct ManualResetValueTaskSourceCore<T>
{
    private static readonly Action<object?> s_ended = static _ =>
        throw new InvalidOperationException("It stands for no continuation.");

    private System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore<T> _real;
    private Action<object?>? _continuation;
    private object? _continuationState;

    public bool RunContinuationsAsynchronously { get; set; }

    public readonly short Version => _real.Version;

    // The real one never has a continuation, so only its result completes it.
    private readonly bool IsCompleted => _real.GetStatus(Version) != ValueTaskSourceStatus.Pending;

    public void Reset()
    {
        _real.Reset();
        _continuation = null;
        _continuationState = null;
    }

    public void SetResult(T result)
    {
        Require(!IsCompleted, "It has ended twice.");
        _real.SetResult(result);
        Complete();
    }

    public void SetException(Exception error)
    {
        Require(!IsCompleted, "It has ended twice.");
        _real.SetException(error);
        Complete();
    }

    public readonly ValueTaskSourceStatus GetStatus(short token)
    {
        var isRegistered = Volatile.Read(in _continuation) is not null;
        var status = _real.GetStatus(token);
        return isRegistered ? status : ValueTaskSourceStatus.Pending;
    }

    public readonly T GetResult(short token) => _real.GetResult(token);

    public void OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        _ = flags;
        _ = _real.GetStatus(token);
        if (_continuation is null)
        {
            _continuationState = state;
        }

        if (Interlocked.CompareExchange(ref _continuation, continuation, null) is { } found)
        {
            Require(ReferenceEquals(found, s_ended), "Two continuations for one value task.");
            Queue(continuation, state);
        }
    }

    private void Complete()
    {
        if (Volatile.Read(ref _continuation) is null
            && Interlocked.CompareExchange(ref _continuation, s_ended, null) is null)
        {
            return;
        }

        if (RunContinuationsAsynchronously)
        {
            Queue(_continuation!, _continuationState);
        }
        else
        {
            _continuation!(_continuationState);
        }
    }

    private static void Queue(Action<object?> continuation, object? state) =>
        ThreadPool.Queue(() => continuation(state));
}
