namespace ScalableTimers.Compare.Workloads.Polling;

/// <summary>The upload that a long-polling request waits for.</summary>
internal sealed class Upload
{
    private readonly TaskCompletionSource<bool> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal void Complete() => _ended.TrySetResult(true);

    /// <returns>False: the token was cancelled.</returns>
    internal async Task<bool> WaitAsync(CancellationToken cancellationToken)
    {
        using var registration = cancellationToken.UnsafeRegister(
            static upload => ((Upload)upload!)._ended.TrySetResult(false), this);
        return await _ended.Task.ConfigureAwait(false);
    }
}
