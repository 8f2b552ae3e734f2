using System.Threading.Tasks.Sources;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Embedded;

/// <summary>A request, the time limit of its answer, and the answer, in one object.</summary>
internal sealed class Call(DemoTimers timers, Request request, bool losesAnswer)
    : TimedOperation, IValueTaskSource<Answer>
{
    private ManualResetValueTaskSourceCore<Answer> _answer;

    public Request Request => request;

    /// <summary>The next call of the same <see cref="Phase"/>.</summary>
    internal Call? Next { get; set; }

    public ValueTask<Answer> SendAsync(Actor target)
    {
        timers.Start(this, Limits.Call);
        target.Post(this);
        return new ValueTask<Answer>(this, _answer.Version);
    }

    public void Reply(Answer answer)
    {
        if (!losesAnswer)
        {
            End(answer);
        }
    }

    public void GiveUp() => End(Answer.None);

    Answer IValueTaskSource<Answer>.GetResult(short token) => _answer.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<Answer>.GetStatus(short token) => _answer.GetStatus(token);

    void IValueTaskSource<Answer>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _answer.OnCompleted(continuation, state, token, flags);

    protected override void OnTimeout() => _answer.SetResult(Answer.None);

    private void End(Answer answer)
    {
        // Either the answer or the timeout ends the operation, and only that one sets the result.
        if (timers.TryEndInTime(this))
        {
            _answer.SetResult(answer);
        }
    }
}
