using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>The time limit of a call to a grain, to be awaited with it.</summary>
internal sealed class CallLimit : TimedOperation
{
    private readonly TaskCompletionSource _reached = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task Reached => _reached.Task;

    protected override void OnTimeout() => _reached.SetResult();
}
