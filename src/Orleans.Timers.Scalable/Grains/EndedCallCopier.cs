using System.Diagnostics.CodeAnalysis;
using Orleans.Serialization.Cloning;
using Orleans.Serialization.Invocation;

namespace Orleans.Timers.Scalable.Grains;

/// <summary>
/// Tells the caller of a call that ended with its activation what Orleans tells the callers of a silo that is lost.
/// </summary>
/// <remarks>
/// In the grain the exception is that of a cancellation. To a caller it would look like a cancellation by its own
/// token: loops end silently on it, and policies do not retry. Orleans copies each response before it is sent, and the
/// copier of those that hold an exception is the one place for it that costs other calls nothing. A call filter would.
/// </remarks>
internal sealed class EndedCallCopier(ActivationDelays activations, IGrainContextAccessor contexts)
    : IDeepCopier<ExceptionResponse>
{
    // Orleans does not copy exceptions, so that other responses stay as they are.
    [return: NotNullIfNotNull(nameof(input))]
    public ExceptionResponse? DeepCopy(ExceptionResponse? input, CopyContext context) =>
        input?.Exception is OperationCanceledException cancellation
            && contexts.GrainContext is { } grain
            && activations.HasToken(grain, cancellation.CancellationToken)
            ? new ExceptionResponse { Exception = Unavailable(grain, cancellation) }
            : input;

    private static SiloUnavailableException Unavailable(IGrainContext grain, OperationCanceledException cancellation) =>
        new(
            $"The call was cancelled, because grain {grain.GrainId} is being deactivated or its silo is being stopped. "
                + "The caller may call it again.",
            cancellation);
}
