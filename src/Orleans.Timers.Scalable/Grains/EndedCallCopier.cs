using System.Diagnostics.CodeAnalysis;
using Orleans.Serialization.Cloning;
using Orleans.Serialization.Invocation;

namespace Orleans.Timers.Scalable.Grains;

/// <summary>
/// When a call ends because its activation does, tells the caller what Orleans tells the callers of a lost silo.
/// </summary>
/// <remarks>
/// Inside the grain the exception is a cancellation. To a caller it would look like a cancellation by its own token:
/// loops would end silently, and policies would not retry. Orleans copies each response before sending it, and the
/// copier for exception responses is the only place that costs other calls nothing. A call filter would.
/// </remarks>
internal sealed class EndedCallCopier(IGrainContextAccessor contexts) : IDeepCopier<ExceptionResponse>
{
    // Like Orleans, returns other responses as they are: exceptions are not copied.
    [return: NotNullIfNotNull(nameof(input))]
    public ExceptionResponse? DeepCopy(ExceptionResponse? input, CopyContext context) =>
        input?.Exception is OperationCanceledException cancellation
            && contexts.GrainContext is { } grain
            && grain.GetComponent<ActivationEnd>() is { } end
            && end.Token == cancellation.CancellationToken
            ? new ExceptionResponse { Exception = end.Unavailable(grain, cancellation) }
            : input;
}
