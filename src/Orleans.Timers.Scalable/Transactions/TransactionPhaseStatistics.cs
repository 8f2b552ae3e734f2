using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>The measurements so far of a silo with <c>MeasureTransactionPhases</c>, to be injected.</summary>
/// <remarks>
/// <para>
/// <b>Cost.</b> Adding costs as in <see cref="OperationStatistics"/>. Reading adds up the figures of all threads.
/// </para>
/// <para>
/// <b>Accuracy.</b> As <see cref="OperationSummary"/>. Each phase is measured in the silo where it happens.
/// </para>
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
    /// <returns>A summary for each phase.</returns>
    public IReadOnlyList<TransactionPhaseSummary> Snapshot() =>
        [
            .. _durations.Snapshot().Select((durations, phase) =>
                new TransactionPhaseSummary(durations, Interlocked.Read(ref _timeouts[phase]))),
        ];

    /// <summary>Clears all figures so far. The instruments of the meter go on.</summary>
    public void Clear()
    {
        _durations.Clear();
        for (var phase = 0; phase < _timeouts.Length; phase++)
        {
            Interlocked.Exchange(ref _timeouts[phase], 0);
        }
    }

    /// <summary>Called by the container.</summary>
    void IDisposable.Dispose() => _durations.Dispose();

    internal void Took(TransactionPhase phase, TimeSpan duration) => _durations.Add(_phases[(int)phase], duration);

    internal void TimedOut(TransactionPhase phase) => Interlocked.Increment(ref _timeouts[(int)phase]);
}
