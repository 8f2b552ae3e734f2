using Orleans.Timers.Internal;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// On request, fails the first confirmation that a transaction manager sends to another participant, and observes when
/// it is repeated.
/// </summary>
internal sealed class FailingConfirmations : IIncomingGrainCallFilter
{
    private TaskCompletionSource? _failed;
    private TaskCompletionSource? _repeated;
    private TaskCompletionSource<TimeSpan>? _begun;

    /// <summary>Makes the next confirmation fail.</summary>
    /// <returns>The delay that follows, and a task that completes when a later confirmation has arrived.</returns>
    internal (Task<TimeSpan> Begun, Task Repeated) FailNext()
    {
        _failed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _repeated = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _begun = new TaskCompletionSource<TimeSpan>(TaskCreationOptions.RunContinuationsAsynchronously);
        return (_begun.Task, _repeated.Task);
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

    /// <summary>The silo's timer manager, watched.</summary>
    internal ITimerManager Watch(ITimerManager timers) => new Watched(timers, this);

    private sealed class Watched(ITimerManager timers, FailingConfirmations retry) : ITimerManager
    {
        public Task<bool> Delay(TimeSpan timeSpan, CancellationToken cancellationToken = default)
        {
            var delay = timers.Delay(timeSpan, cancellationToken);
            retry._begun?.TrySetResult(timeSpan);
            return delay;
        }
    }
}
