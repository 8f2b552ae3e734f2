namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>Counts its calls, and then does its work.</summary>
internal sealed class PeriodicCallback(CallbackKind kind)
{
    private int _calls;

    internal int Calls => Volatile.Read(ref _calls);

    /// <summary>Gets the sum that the callback has computed, so that the compiler does not remove the work.</summary>
    internal int Sum { get; private set; }

    internal void Run()
    {
        var calls = Interlocked.Increment(ref _calls);
        switch (kind)
        {
            case CallbackKind.Blocking:
                Thread.Sleep(1);
                break;
            case CallbackKind.Writing:
                Console.WriteLine($"Timer event {calls}");
                break;
            case CallbackKind.Burning:
                Burn();
                break;
        }
    }

    private void Burn()
    {
        var sum = 0;
        for (var i = 0; i < 300_000; i++)
        {
            sum += i - 15_000;
        }

        Sum = sum;
    }
}
