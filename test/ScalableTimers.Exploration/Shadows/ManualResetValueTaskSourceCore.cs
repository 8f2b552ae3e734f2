using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Threading.Tasks.Sources;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore{TResult}"/>, whose continuations
/// would run on threads of the real pool, and in which completing and registering a continuation would meet without a
/// scheduling point. Contexts are not captured.
/// </summary>
internal struct ManualResetValueTaskSourceCore<T>
{
    private static readonly Action<object?> s_ended = static _ =>
        throw new InvalidOperationException("It stands for no continuation.");

    private Action<object?>? _continuation;
    private object? _continuationState;
    private T? _result;
    private ExceptionDispatchInfo? _error;
    private bool _isCompleted;

    public bool RunContinuationsAsynchronously { get; set; }

    public short Version { get; private set; }

    public void Reset()
    {
        Version++;
        _continuation = null;
        _continuationState = null;
        _result = default;
        _error = null;
        _isCompleted = false;
    }

    public void SetResult(T result)
    {
        _result = result;
        Complete();
    }

    public void SetException(Exception error)
    {
        _error = ExceptionDispatchInfo.Capture(error);
        Complete();
    }

    public readonly ValueTaskSourceStatus GetStatus(short token)
    {
        ThrowIfWrong(token);
        return Volatile.Read(in _continuation) is null || !_isCompleted ? ValueTaskSourceStatus.Pending
            : _error is null ? ValueTaskSourceStatus.Succeeded
            : _error.SourceException is OperationCanceledException ? ValueTaskSourceStatus.Canceled
            : ValueTaskSourceStatus.Faulted;
    }

    public readonly T GetResult(short token)
    {
        ThrowIfWrong(token);
        if (!_isCompleted)
        {
            throw new InvalidOperationException("It has not ended.");
        }

        _error?.Throw();
        return _result!;
    }

    public void OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        _ = flags;
        ThrowIfWrong(token);
        if (_continuation is null)
        {
            _continuationState = state;
        }

        var found = Interlocked.CompareExchange(ref _continuation, continuation, null);
        if (found is not null)
        {
            Interleaving.Require(ReferenceEquals(found, s_ended), "Two continuations for one value task.");
            ThreadPool.UnsafeQueueUserWorkItem(new Item(continuation, state), preferLocal: true);
        }
    }

    private void Complete()
    {
        Interleaving.Require(!_isCompleted, "It has ended twice.");
        _isCompleted = true;
        if (Volatile.Read(ref _continuation) is null
            && Interlocked.CompareExchange(ref _continuation, s_ended, null) is null)
        {
            return;
        }

        if (RunContinuationsAsynchronously)
        {
            ThreadPool.UnsafeQueueUserWorkItem(new Item(_continuation!, _continuationState), preferLocal: true);
        }
        else
        {
            _continuation!(_continuationState);
        }
    }

    private readonly void ThrowIfWrong(short token)
    {
        if (token != Version)
        {
            throw new InvalidOperationException("The value task has been read already.");
        }
    }

    private sealed class Item(Action<object?> continuation, object? state) : IThreadPoolWorkItem
    {
        public void Execute() => continuation(state);
    }
}
