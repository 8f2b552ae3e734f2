using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;
using ScalableTimers.Timers;

namespace Orleans.Timers.Scalable.Grains;

/// <summary>Ends the delays of one activation, and tells the code that awaits them why.</summary>
/// <remarks>
/// Without the message, a cancelled delay would look like a cancellation by the awaiting code's own token. The grain's
/// caller gets its exception inside another; see <see cref="EndedCallCopier"/>.
/// </remarks>
[SuppressMessage(
    "Design",
    "CA1001:Types that own disposable fields should be disposable",
    Justification = "The source holds no resources, and stray delays may read its token at any time.")]
internal sealed partial class ActivationEnd : DelayScope
{
    private readonly CancellationTokenSource _source = new();
    private readonly ActivationDelays _silo;
    private readonly IGrainContext? _context;
    private ActivationPin? _pin;

    // Internal, because some containers make any class that has a public constructor when Orleans looks for it.
    internal ActivationEnd(ActivationDelays silo, IGrainContext? context) => (_silo, _context) = (silo, context);

    internal override CancellationToken Token => _source.Token;

    internal bool HasBegun => _source.IsCancellationRequested;

    /// <summary>
    /// Whether Orleans has promised to wait for the activation's calls. Known once the token is cancelled.
    /// </summary>
    internal bool AwaitsCalls { get; private set; }

    internal bool KeepAlive { get; set; } = true;

    /// <summary>The scope of a delay that begins now. It keeps the activation alive if it is to.</summary>
    internal DelayScope Scope() => KeepAlive ? _pin ?? NewPin(_silo.NewPin(_context!, this)) : this;

    /// <summary>
    /// Ends the delays. The caller may hold the activation's lock, so callbacks of the token run on the pool.
    /// </summary>
    internal void Begin(bool awaitsCalls)
    {
        if (HasBegun)
        {
            return;
        }

        AwaitsCalls = awaitsCalls;

        // When this returns, the token is cancelled, by this or another thread. So a delay that begins later knows.
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

    internal override void OnBegun()
    {
    }

    internal override void OnEnded()
    {
    }

    internal override string Reason()
    {
        _silo.OnWaitEnded();
        return Reason(_context!);
    }

    internal static string Reason(IGrainContext context) =>
        $"Grain {context.GrainId} is being deactivated, so its delay was cancelled. The caller may call it again.";

    /// <summary>Returns what the caller gets when a call of the activation ends because the activation does.</summary>
    internal SiloUnavailableException Unavailable(IGrainContext grain, OperationCanceledException cancellation)
    {
        _silo.OnWaitEnded();
        return new SiloUnavailableException(
            $"The call was cancelled, because grain {grain.GrainId} is being deactivated. The caller may call it "
                + "again.",
            cancellation);
    }

    private ActivationPin NewPin(ActivationPin pin) => Interlocked.CompareExchange(ref _pin, pin, null) ?? pin;

    private void Cancel() => _source.CancelAsync().ContinueWith(
        static (callbacks, end) => LogCallbacksFailed(((ActivationEnd)end!)._silo.Logger, callbacks.Exception!),
        this,
        CancellationToken.None,
        TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously,
        TaskScheduler.Default);

    [LoggerMessage(
        1, LogLevel.Error, "A callback that was registered with the deactivation token of a grain threw an exception.")]
    private static partial void LogCallbacksFailed(ILogger logger, Exception exception);
}
