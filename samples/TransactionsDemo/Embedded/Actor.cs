using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Embedded;

/// <summary>
/// State that only its own scheduler touches: messages are received, and awaits resumed, one at a time. So no field of
/// an actor needs a lock. After an await, the actor has to read its state again.
/// </summary>
internal abstract class Actor
{
    private readonly ActorSystem _system;
    private readonly TaskScheduler _scheduler = new ConcurrentExclusiveSchedulerPair().ExclusiveScheduler;
    private readonly Action<object?> _receive;

    protected Actor(ActorSystem system)
    {
        _system = system;
        _receive = ReceiveSafely;
    }

    protected DemoTimers Timers => _system.Timers;

    /// <summary>Sends a message. Those of one sender arrive in order.</summary>
    public void Post(object message) =>
        Task.Factory.StartNew(
            _receive, message, CancellationToken.None, TaskCreationOptions.DenyChildAttach, _scheduler);

    protected abstract void Receive(object message);

    /// <summary>Runs the actor's own work on its scheduler.</summary>
    protected Task<T> RunAsync<T>(Func<Task<T>> work) =>
        Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.DenyChildAttach, _scheduler).Unwrap();

    /// <summary>Asks another actor until it answers. It may get the question more than once.</summary>
    /// <param name="target">The actor to ask.</param>
    /// <param name="request">The question.</param>
    /// <param name="phase">Ends the asking.</param>
    /// <param name="losesAnswer">The first answer is lost.</param>
    /// <returns><see cref="Answer.None"/> if the phase ended first.</returns>
    public async Task<Answer> AskAsync(Actor target, Request request, Phase phase, bool losesAnswer = false)
    {
        for (var attempt = 1; !phase.IsOver; attempt++)
        {
            var call = new Call(Timers, request, losesAnswer && attempt == 1);
            phase.Include(call);
            var answer = await call.SendAsync(target);
            if (answer != Answer.None)
            {
                return answer;
            }

            // A failed actor would be asked for ever without an answer.
            _system.ThrowIfFaulted();
            if (!phase.IsOver)
            {
                await Timers.DelayAsync(RetryPolicy.Backoff(request.Transaction, attempt));
            }
        }

        return Answer.None;
    }

    protected void ReportFault(Exception fault) => _system.ReportFault(fault);

    private void ReceiveSafely(object? message)
    {
        try
        {
            if (message is Phase phase)
            {
                phase.End();
            }
            else
            {
                Receive(message!);
            }
        }
        catch (Exception fault)
        {
            ReportFault(fault);
        }
    }
}
