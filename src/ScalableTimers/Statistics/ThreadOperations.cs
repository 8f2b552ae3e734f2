namespace ScalableTimers.Statistics;

/// <summary>The cells of one thread for one <see cref="OperationStatistics"/>.</summary>
/// <param name="owner">The statistics, which a thread does not keep alive.</param>
/// <param name="identity">Their identity, which is quicker to compare.</param>
/// <param name="thread">The thread that writes.</param>
internal sealed class ThreadOperations(WeakReference<OperationStatistics> owner, object identity, Thread thread)
{
    private OperationCell?[] _cells = new OperationCell?[4];

    internal object Identity { get; } = identity;

    internal bool HasOwner => owner.TryGetTarget(out _);

    internal bool HasEnded => !thread.IsAlive;

    internal void Add(int operation, long duration, long generation)
    {
        var cells = _cells;
        var cell = (uint)operation < (uint)cells.Length ? cells[operation] : null;
        if (cell is null || cell.Generation != generation)
        {
            cell = Begin(operation, generation);
        }

        cell.Add(duration);
    }

    internal void AddTo(Span<OperationCell> sums, long generation)
    {
        var cells = Volatile.Read(ref _cells);
        for (var i = 0; i < Math.Min(cells.Length, sums.Length); i++)
        {
            if (Volatile.Read(ref cells[i]) is { } cell && cell.Generation == generation)
            {
                cell.AddTo(sums[i]);
            }
        }
    }

    private OperationCell Begin(int operation, long generation)
    {
        if (operation >= _cells.Length)
        {
            var cells = new OperationCell?[Math.Max(operation + 1, _cells.Length * 2)];
            _cells.CopyTo(cells, 0);
            Volatile.Write(ref _cells, cells);
        }

        var cell = new OperationCell(generation);
        Volatile.Write(ref _cells[operation], cell);
        return cell;
    }
}
