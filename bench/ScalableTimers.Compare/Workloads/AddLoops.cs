using System.Collections.Concurrent;
using System.Numerics;

namespace ScalableTimers.Compare.Workloads;

/// <summary>Loops that add runs of four operations to statistics, one for each kind of statistics.</summary>
/// <remarks>Operations and durations are drawn beforehand.</remarks>
internal static class AddLoops
{
    private const int Operations = 4;
    private const int Mask = 4095;

    private static readonly int[] s_operations = Draw(static random => random.Next(Operations));
    private static readonly long[] s_durations = Draw(static random => random.NextInt64(1L << random.Next(1, 28)));

    /// <summary>As in the text: a look-up, then the row's own lock.</summary>
    internal static Action<int> OfDictionary() => OfDictionary(static () => new Row());

    /// <summary>The same for rows from which percentiles can be read, as from ours.</summary>
    internal static Action<int> OfDictionaryOfHistograms() => OfDictionary(static () => new HistogramRow());

    internal static Action<int> OfStatistics(OperationStatistics statistics)
    {
        var operations = Register(statistics);
        return count =>
        {
            for (var i = 0; i < count; i++)
            {
                statistics.Add(operations[s_operations[i & Mask]], new TimeSpan(s_durations[i & Mask]));
            }
        };
    }

    /// <summary>Also measures the duration, which reads the clock twice.</summary>
    internal static Action<int> OfMeasure(OperationStatistics statistics)
    {
        var operations = Register(statistics);
        return count =>
        {
            for (var i = 0; i < count; i++)
            {
                using var measurement = statistics.Measure(operations[s_operations[i & Mask]]);
            }
        };
    }

    private static Action<int> OfDictionary(Func<Row> create)
    {
        var rows = new ConcurrentDictionary<int, Row>();
        return count =>
        {
            for (var i = 0; i < count; i++)
            {
                rows.GetOrAdd(s_operations[i & Mask], static (_, create) => create(), create)
                    .AddLocked(s_durations[i & Mask]);
            }
        };
    }

    private static Operation[] Register(OperationStatistics statistics) =>
        [.. Enumerable.Range(0, Operations).Select(i => statistics.Register($"operation {i}"))];

    private static T[] Draw<T>(Func<Random, T> draw)
    {
        var random = new Random(1);
        return [.. Enumerable.Range(0, Mask + 1).Select(_ => draw(random))];
    }

    /// <summary>The figures of an operation in the text.</summary>
    private class Row
    {
        internal long Count;
        internal long Total;
        internal long Max;
        internal long Min = long.MaxValue;

        internal virtual void AddLocked(long duration)
        {
            lock (this)
            {
                Add(duration);
            }
        }

        internal void Add(long duration)
        {
            Count++;
            Total += duration;
            Max = Math.Max(Max, duration);
            Min = Math.Min(Min, duration);
        }
    }

    private sealed class HistogramRow : Row
    {
        private readonly long[] _steps = new long[61 * 8];

        internal override void AddLocked(long duration)
        {
            // Eight steps for each power of two.
            var shift = BitOperations.Log2((ulong)duration | 8) - 3;
            lock (this)
            {
                Add(duration);
                _steps[(shift << 3) + (int)(duration >> shift)]++;
            }
        }
    }
}
