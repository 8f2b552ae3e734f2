namespace ScalableTimers.Statistics;

/// <summary>The cells of one thread for one <see cref="OperationStatistics"/>, from one clearing to the next.</summary>
/// <param name="owner">The statistics; a thread does not keep them alive.</param>
/// <param name="epoch">
/// The statistics' current epoch. It identifies the statistics and the time since they were last cleared.
/// </param>
/// <param name="thread">The thread that writes to the cells.</param>
internal sealed class ThreadOperations(WeakReference<OperationStatistics> owner, object epoch, Thread thread)
{
    private OperationCell?[] _cells = new OperationCell?[4];

    internal object Epoch { get; } = epoch;

    /// <summary>Whether the statistics are still in use and have not been cleared in the meantime.</summary>
    internal bool IsCurrent => owner.TryGetTarget(out var statistics) && statistics.IsIn(Epoch);

    internal bool HasEnded => !thread.IsAlive;

    internal void Add(int operation, long duration)
    {
        var cells = _cells;
        var cell = (uint)operation < (uint)cells.Length ? cells[operation] : null;
        (cell ?? Begin(operation)).Add(duration);
    }

    internal void AddTo(Span<OperationCell> sums)
    {
        var cells = Volatile.Read(ref _cells);
        for (var i = 0; i < Math.Min(cells.Length, sums.Length); i++)
        {
            Volatile.Read(ref cells[i])?.AddTo(sums[i]);
        }
    }

    private OperationCell Begin(int operation)
    {
        if (operation >= _cells.Length)
        {
            var cells = new OperationCell?[Math.Max(operation + 1, _cells.Length * 2)];
            _cells.CopyTo(cells, 0);
            Volatile.Write(ref _cells, cells);
        }

        var cell = new OperationCell();
        Volatile.Write(ref _cells[operation], cell);
        return cell;
    }
}
