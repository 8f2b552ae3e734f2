using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable.Grains;

/// <summary>Ends the delays of one activation.</summary>
[SuppressMessage(
    "Design",
    "CA1001:Types that own disposable fields should be disposable",
    Justification = "The source holds no resources, and stray delays may read its token at any time.")]
internal sealed partial class ActivationEnd(ILogger logger)
{
    private readonly CancellationTokenSource _source = new();

    internal CancellationToken Token => _source.Token;

    /// <summary>Whether the grain asked for its deactivation, or the program for it. Known once the token is.</summary>
    internal bool IsByApplication { get; private set; }

    /// <summary>
    /// Ends the delays. The caller may hold the activation's lock, so callbacks of the token run on the pool.
    /// </summary>
    internal void Begin(bool isByApplication = false)
    {
        if (_source.IsCancellationRequested)
        {
            return;
        }

        IsByApplication = isByApplication;

        // When this returns, the token is cancelled, by this or another thread. So a delay that begins later ends at
        // once.
        if (ExecutionContext.IsFlowSuppressed())
        {
            Cancel();
            return;
        }

        using (ExecutionContext.SuppressFlow())
        {
            Cancel();
        }
    }

    private void Cancel() => _source.CancelAsync().ContinueWith(
        static (callbacks, logger) => LogCallbacksFailed((ILogger)logger!, callbacks.Exception!),
        logger,
        CancellationToken.None,
        TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously,
        TaskScheduler.Default);

    [LoggerMessage(
        1, LogLevel.Error, "A callback that was registered with the deactivation token of a grain threw an exception.")]
    private static partial void LogCallbacksFailed(ILogger logger, Exception exception);
}
