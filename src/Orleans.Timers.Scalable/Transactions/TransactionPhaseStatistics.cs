using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>What a silo with <c>MeasureTransactionPhases</c> has measured so far, to be injected.</summary>
/// <remarks>
/// <para><b>Cost.</b> Adding is that of <see cref="OperationStatistics"/>; reading adds up what all threads have.</para>
/// <para><b>Accuracy.</b> As <see cref="OperationSummary"/>. A phase is measured in the silo where it happens.</para>
/// <para><b>Order.</b> Phases are in the order in which a transaction goes through them.</para>
/// <para><b>Threads.</b> May be called concurrently.</para>
/// </remarks>
public sealed class TransactionPhaseStatistics : IDisposable
{
    private readonly OperationStatistics _durations = new();
    private readonly Operation[] _phases;
    private readonly long[] _timeouts;

    internal TransactionPhaseStatistics()
    {
        _phases = [.. TransactionPhaseNames.All.Select(_durations.Register)];
        _timeouts = new long[_phases.Length];
    }

    /// <summary>Gets the figures of all phases, also of those that never ran.</summary>
    /// <returns>A summary each.</returns>
    public IReadOnlyList<TransactionPhaseSummary> Snapshot() =>
        [.. _durations.Snapshot().Select((durations, phase) => new TransactionPhaseSummary(durations, Interlocked.Read(ref _timeouts[phase])))];

    /// <summary>Forgets all figures so far; the instruments of the meter go on.</summary>
    public void Clear()
    {
        _durations.Clear();
        for (var phase = 0; phase < _timeouts.Length; phase++)
        {
            Interlocked.Exchange(ref _timeouts[phase], 0);
        }
    }

    /// <summary>The container calls it.</summary>
    void IDisposable.Dispose() => _durations.Dispose();

    internal void Took(TransactionPhase phase, TimeSpan duration) => _durations.Add(_phases[(int)phase], duration);

    internal void TimedOut(TransactionPhase phase) => Interlocked.Increment(ref _timeouts[(int)phase]);
}
