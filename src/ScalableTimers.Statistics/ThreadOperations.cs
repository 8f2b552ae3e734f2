namespace ScalableTimers.Statistics;

/// <summary>The cells of one thread for one <see cref="OperationStatistics"/>, from one clearing to the next.</summary>
/// <param name="owner">The statistics; a thread does not keep them alive.</param>
/// <param name="epoch">Identifies the statistics and the time since they were last cleared.</param>
/// <param name="thread">The thread that writes to the cells.</param>
internal sealed class ThreadOperations(WeakReference<OperationStatistics> owner, object epoch, Thread thread)
{
    private OperationCell?[] _cells = new OperationCell?[4];

    internal object Epoch { get; } = epoch;

    /// <summary>Whether the statistics are still alive and have not been cleared since.</summary>
    internal bool IsCurrent => owner.TryGetTarget(out var statistics) && statistics.IsIn(Epoch);

    internal bool HasEnded => !thread.IsAlive;

    internal void Add(int operation, long duration)
    {
        var cells = _cells;
        var cell = (uint)operation < (uint)cells.Length ? cells[operation] : null;
        (cell ?? Begin(operation)).Add(duration);
    }

    /// <summary>Adds the figures of one operation to a cell, which belongs to the caller.</summary>
    internal void AddTo(int operation, OperationCell sum) => Find(operation)?.AddTo(sum);

    /// <summary>Adds all figures to the cells of another thread, which has ended too.</summary>
    internal void AddTo(ThreadOperations ended)
    {
        for (var i = 0; i < _cells.Length; i++)
        {
            if (_cells[i] is { } cell)
            {
                cell.AddTo(ended.Find(i) ?? ended.Begin(i));
            }
        }
    }

    private OperationCell? Find(int operation)
    {
        var cells = Volatile.Read(ref _cells);
        return operation < cells.Length ? Volatile.Read(ref cells[operation]) : null;
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
