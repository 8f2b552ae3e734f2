using ScalableTimers.Compare.Reporting;

namespace ScalableTimers.Compare.Running;

/// <summary>The figures of one round of one contestant, by the titles of their columns.</summary>
internal sealed class Measurement : Dictionary<string, double>
{
    /// <summary>Gets or sets a figure; NaN for one that the workload does not have.</summary>
    internal double this[Column column]
    {
        get => TryGetValue(column.Title, out var figure) ? figure : double.NaN;
        set => this[column.Title] = value;
    }

    /// <summary>Operations on several threads at once: how long one takes, and what it costs.</summary>
    internal static Measurement OfOperations(Usage before, Usage after, long operationsPerThread, int threads)
    {
        var operations = (double)operationsPerThread * threads;
        return new Measurement
        {
            [Column.Wall] = before.WallUntil(after).TotalNanoseconds / operationsPerThread,
            [Column.Cpu] = (after.Processor - before.Processor).TotalNanoseconds / operations,
            [Column.Bytes] = (after.Bytes - before.Bytes) / operations,
            [Column.Collections] = after.Collections - before.Collections,
        };
    }

    /// <summary>Steady work for some time.</summary>
    internal static Measurement OfSeconds(Usage before, Usage after, double done)
    {
        var seconds = before.WallUntil(after).TotalSeconds;
        return new Measurement
        {
            [Column.CpuPerSecond] = (after.Processor - before.Processor).TotalMilliseconds / seconds,
            [Column.PerSecond] = done / seconds,
        };
    }

    /// <summary>What the idle process consumes.</summary>
    internal static Measurement OfIdleness(TimeSpan duration)
    {
        var before = Usage.Now();
        Thread.Sleep(duration);
        return OfSeconds(before, Usage.Now(), done: double.NaN);
    }

    /// <summary>The memory that a pending timer holds, without the list that keeps it alive.</summary>
    /// <param name="count">How many timers.</param>
    /// <param name="create">Returns what must stay alive for the timer to fire, or null.</param>
    internal static Measurement OfPending(int count, Func<object?> create)
    {
        var kept = new object?[count];
        kept[0] = create();
        var before = GC.GetTotalMemory(forceFullCollection: true);
        for (var i = 1; i < kept.Length; i++)
        {
            kept[i] = create();
        }

        var bytes = (double)(GC.GetTotalMemory(forceFullCollection: true) - before) / (kept.Length - 1);
        Array.ForEach(kept, static timer => (timer as ITimer)?.Dispose());
        return new Measurement { [Column.Bytes] = bytes };
    }

    /// <summary>Removes meaningless figures.</summary>
    internal Measurement Except(params IEnumerable<Column> columns)
    {
        foreach (var column in columns)
        {
            Remove(column.Title);
        }

        return this;
    }
}
