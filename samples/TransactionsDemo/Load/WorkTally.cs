using TransactionsDemo.Bank;

namespace TransactionsDemo.Load;

/// <summary>The outcomes of transfers, of one worker or of many together.</summary>
internal sealed class WorkTally
{
    /// <summary>A transfer that takes longer is a stall. None should, on a machine that is not overloaded.</summary>
    public static readonly TimeSpan StallsAfter = TimeSpan.FromSeconds(1);

    private readonly long[] _outcomes = new long[Enum.GetValues<TransferOutcome>().Length];

    public long Started { get; private set; }

    public long Finished { get; private set; }

    /// <summary>
    /// The transfers that finished before the load ended. Transfers that finish later, with few others left, say
    /// nothing about throughput.
    /// </summary>
    public long FinishedInTime { get; private set; }

    public long Retries { get; private set; }

    public long InDoubt { get; private set; }

    public long Stalls { get; private set; }

    public LatencyHistogram Latencies { get; } = new();

    public long this[TransferOutcome outcome] => _outcomes[(int)outcome];

    public void CountStarted() => Started++;

    public void CountFinished(TransferResult result, TimeSpan latency, bool inTime)
    {
        Finished++;
        FinishedInTime += inTime ? 1 : 0;
        Retries += result.Retries;
        InDoubt += result.WasInDoubt ? 1 : 0;
        Stalls += latency > StallsAfter ? 1 : 0;
        _outcomes[(int)result.Outcome]++;
        Latencies.Add(latency);
    }

    public void Add(WorkTally other)
    {
        Started += other.Started;
        Finished += other.Finished;
        FinishedInTime += other.FinishedInTime;
        Retries += other.Retries;
        InDoubt += other.InDoubt;
        Stalls += other.Stalls;
        Latencies.Add(other.Latencies);
        for (var outcome = 0; outcome < _outcomes.Length; outcome++)
        {
            _outcomes[outcome] += other._outcomes[outcome];
        }
    }
}
