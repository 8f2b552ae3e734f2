using System.Threading.Tasks.Sources;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>What an awaited delay is without its timer. It can be awaited again once it has been.</summary>
internal sealed class AwaitedSource : IValueTaskSource
{
    private ManualResetValueTaskSourceCore<bool> _core;

    internal ValueTask Awaited => new(this, _core.Version);

    internal void Complete() => _core.SetResult(true);

    public void GetResult(short token)
    {
        _core.GetResult(token);
        _core.Reset();
    }

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
