namespace Orleans.Timers.Scalable.Tests;

/// <summary>A call that waits until its token is cancelled or the test releases it.</summary>
internal sealed class TokenWait
{
    private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _cancelled = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <param name="isLinked">Whether the code links the token with one of its own.</param>
    internal TokenWait(bool isLinked = false) => Script = TokenGrainBase.Leave(async (self, token) =>
    {
        Grain = self;
        using var linked = CancellationTokenSource.CreateLinkedTokenSource(token);
        _begun.TrySetResult();
        try
        {
            await _released.Task.WaitAsync(isLinked ? linked.Token : token);
        }
        catch (OperationCanceledException)
        {
            _cancelled.TrySetResult();
            throw;
        }
    });

    internal Guid Script { get; }

    internal TokenGrainBase? Grain { get; private set; }

    internal Task Begun => _begun.Task;

    internal Task Cancelled => _cancelled.Task;

    internal void Release() => _released.TrySetResult();
}
