using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Makes the first confirmation fail that a transaction manager sends to another participant, if a test has asked for
/// that.
/// </summary>
internal sealed class ConfirmationFault : IIncomingGrainCallFilter
{
    private TaskCompletionSource? _failed;
    private TaskCompletionSource? _repeated;

    /// <summary>Makes the next confirmation fail.</summary>
    /// <returns>A task that completes when a later confirmation has arrived.</returns>
    internal Task FailNext()
    {
        _failed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _repeated = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        return _repeated.Task;
    }

    public async Task Invoke(IIncomingGrainCallContext context)
    {
        var isConfirmation = context.InterfaceMethod.DeclaringType == typeof(ITransactionalResourceExtension)
            && context.InterfaceMethod.Name == nameof(ITransactionalResourceExtension.Confirm);
        if (isConfirmation && _failed?.TrySetResult() == true)
        {
            throw new InvalidOperationException("A confirmation that fails on purpose.");
        }

        await context.Invoke();
        if (isConfirmation)
        {
            _repeated?.TrySetResult();
        }
    }
}
