using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Embedded;

/// <summary>The shared state of the actors of one bank.</summary>
internal sealed class ActorSystem(DemoTimers timers)
{
    private Exception? _firstFault;

    public DemoTimers Timers { get; } = timers;

    /// <summary>
    /// Notes that an actor has failed. Its state can no longer be trusted, and neither can the bank's.
    /// </summary>
    public void ReportFault(Exception fault) => Interlocked.CompareExchange(ref _firstFault, fault, null);

    public void ThrowIfFaulted()
    {
        if (Volatile.Read(ref _firstFault) is { } fault)
        {
            throw new BankFailedException($"An actor has failed: {fault.Message}", fault);
        }
    }
}
