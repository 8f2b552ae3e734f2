using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using ScalableTimers.Metrics;
using ScalableTimers.Statistics;

namespace ScalableTimers;

/// <summary>Counts operations and their durations, cheaply enough to do so all the time.</summary>
/// <remarks>
/// <para>
/// <b>Cost.</b> Adding takes five to ten nanoseconds on any number of threads, plus a look-up by a name or an enum
/// value. It neither locks nor allocates, except when a thread adds an operation for the first time, or for the first
/// time after <see cref="Clear"/>: that takes four kilobytes, until the figures are read after the thread has ended.
/// </para>
/// <para><b>Accuracy.</b> See <see cref="OperationSummary"/>.</para>
/// <para><b>Order.</b> A run that is added while figures are read may be in all of them, in some or in none.</para>
/// <para><b>Threads.</b> All members may be called concurrently. Runs added by a thread that has ended are kept.</para>
/// </remarks>
public sealed class OperationStatistics : IDisposable
{
    [ThreadStatic]
    private static ThreadOperations? s_lastUsed;

    [ThreadStatic]
    private static List<ThreadOperations>? s_all;

    private readonly Lock _lock = new();
    private readonly ConcurrentDictionary<string, Operation> _byName = new(StringComparer.Ordinal);
    private readonly List<Operation> _operations = [];
    private readonly List<ThreadOperations> _threads = [];
    private readonly Publication<OperationStatistics>? _metrics;
    private int _threadsAfterLastLook;

    // Each Clear creates a new one. A thread compares it with the epoch of its cells, which tells both which statistics
    // the cells belong to and whether they still count.
    private object _epoch = new();

    /// <summary>Creates statistics without operations.</summary>
    /// <param name="name">The name of the statistics; null if they are not to be published.</param>
    /// <param name="meterFactory">Creates the meter "ScalableTimers.Operations"; null for a shared one.</param>
    /// <param name="clock">The clock of measurements; null for <see cref="TimeProvider.System"/>.</param>
    public OperationStatistics(string? name = null, IMeterFactory? meterFactory = null, TimeProvider? clock = null)
    {
        Clock = clock ?? TimeProvider.System;
        Name = name;
        _metrics = name is null ? null : OperationMetrics.Publish(this, meterFactory);
    }

    internal TimeProvider Clock { get; }

    internal string? Name { get; }

    /// <summary>The number of sets of cells, for tests that add no thread at the same time.</summary>
    internal int Threads => _threads.Count;

    /// <summary>Registers an operation, at any time. It stays registered for as long as the statistics live.</summary>
    /// <param name="operation">Its name.</param>
    /// <returns>The operation of that name, always the same object.</returns>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    public Operation Register(string operation)
    {
        ArgumentException.ThrowIfNullOrEmpty(operation);
        if (_byName.TryGetValue(operation, out var known))
        {
            return known;
        }

        lock (_lock)
        {
            if (!_byName.TryGetValue(operation, out known))
            {
                known = new Operation(this, operation, _operations.Count);
                _operations.Add(known);
                _byName[operation] = known;
            }

            return known;
        }
    }

    /// <summary>Adds a run of an operation. This is the fastest way to add one.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="duration">How long the run took.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="duration"/> is negative.</exception>
    /// <exception cref="ArgumentException">The operation belongs to other statistics.</exception>
    public void Add(Operation operation, TimeSpan duration)
    {
        ArgumentNullException.ThrowIfNull(operation);
        if (duration < TimeSpan.Zero || !ReferenceEquals(operation.Owner, this))
        {
            ThrowInvalid(operation, duration);
        }

        var lastUsed = s_lastUsed;
        if (lastUsed is null || !IsIn(lastUsed.Epoch))
        {
            lastUsed = FindOfThread();
        }

        lastUsed.Add(operation.Index, duration.Ticks);
    }

    /// <summary>Adds a run of an operation by its name, and registers the operation if necessary.</summary>
    /// <param name="operation">The operation's name.</param>
    /// <param name="duration">How long the run took.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="duration"/> is negative.</exception>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    public void Add(string operation, TimeSpan duration) => Add(Register(operation), duration);

    /// <summary>Adds a run of the operation with the name of an enum value, and registers it if necessary.</summary>
    /// <remarks>A value without a name, such as a combination of flags, allocates its text.</remarks>
    /// <typeparam name="TOperation">The enum.</typeparam>
    /// <param name="operation">The value.</param>
    /// <param name="duration">How long the run took.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="duration"/> is negative.</exception>
    public void Add<TOperation>(TOperation operation, TimeSpan duration)
        where TOperation : struct, Enum => Add(Register(NameOf(operation)), duration);

    /// <summary>Begins to measure a run: <c>using (statistics.Measure(operation)) { … }</c>.</summary>
    /// <param name="operation">The operation.</param>
    /// <returns>A measurement that adds the run when it is disposed.</returns>
    /// <exception cref="ArgumentException">The operation belongs to other statistics.</exception>
    public OperationMeasurement Measure(Operation operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return ReferenceEquals(operation.Owner, this) ? new OperationMeasurement(operation) : throw OfOthers(operation);
    }

    /// <summary>Begins to measure a run of an operation by its name, and registers it if necessary.</summary>
    /// <param name="operation">The operation's name.</param>
    /// <returns>A measurement that adds the run when it is disposed.</returns>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    public OperationMeasurement Measure(string operation) => new(Register(operation));

    /// <summary>Begins to measure a run of an operation by its enum value, and registers it if necessary.</summary>
    /// <typeparam name="TOperation">The enum.</typeparam>
    /// <param name="operation">The value.</param>
    /// <returns>A measurement that adds the run when it is disposed.</returns>
    public OperationMeasurement Measure<TOperation>(TOperation operation)
        where TOperation : struct, Enum => new(Register(NameOf(operation)));

    /// <summary>Forgets all runs so far; one added during the call may count. Operations stay registered.</summary>
    public void Clear()
    {
        lock (_lock)
        {
            // A thread whose cells have another epoch abandons them and creates new ones.
            Volatile.Write(ref _epoch, new object());
            _threads.Clear();
            _threadsAfterLastLook = 0;
        }
    }

    /// <summary>Gets the figures of all operations, in the order of their registration.</summary>
    /// <returns>One summary for each operation, including operations that never ran.</returns>
    /// <remarks>
    /// It takes a microsecond or less for each operation and each thread that has run it. Only threads that add for the
    /// first time, or register a new operation, have to wait for it.
    /// </remarks>
    public IReadOnlyList<OperationSummary> GetSnapshot() =>
        Read(static (operation, sum) => sum.Summarize(operation.Name));

    /// <summary>Ends the publication of the figures. Everything else continues to work.</summary>
    public void Dispose() => _metrics?.Dispose();

    /// <summary>Gets a table of the operations that have run.</summary>
    /// <returns>A heading, then a line each: the count, and the total, longest and shortest time in ms.</returns>
    public override string ToString()
    {
        var text = new StringBuilder("Operation Count TotalTimeMs MaxTimeMs MinTimeMs");
        foreach (var row in GetSnapshot().Where(static row => row.Count > 0))
        {
            var total = row.TotalTime.TotalMilliseconds;
            var max = row.MaxTime.TotalMilliseconds;
            var min = row.MinTime.TotalMilliseconds;
            text.AppendLine().Append(
                CultureInfo.InvariantCulture, $"{row.Operation} {row.Count} {total:0.###} {max:0.###} {min:0.###}");
        }

        return text.ToString();
    }

    /// <summary>Gets a figure of each operation, in the order of their registration.</summary>
    /// <param name="figure">Reads it from the operation's sum, which is reused for the next operation.</param>
    internal List<T> Read<T>(Func<Operation, OperationCell, T> figure)
    {
        lock (_lock)
        {
            FoldEndedLocked();
            var figures = new List<T>(_operations.Count);
            var sum = new OperationCell();
            foreach (var operation in _operations)
            {
                sum.Clear();
                foreach (var thread in _threads)
                {
                    thread.AddTo(operation.Index, sum);
                }

                figures.Add(figure(operation, sum));
            }

            return figures;
        }
    }

    internal bool IsIn(object epoch) => ReferenceEquals(epoch, Volatile.Read(ref _epoch));

    private static string NameOf<TOperation>(TOperation operation)
        where TOperation : struct, Enum => Enum.GetName(operation) ?? operation.ToString();

    private static void ThrowInvalid(Operation operation, TimeSpan duration)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(duration, TimeSpan.Zero);
        throw OfOthers(operation);
    }

    private static ArgumentException OfOthers(Operation operation) =>
        new(
            $"The operation \"{operation.Name}\" was registered with another {nameof(OperationStatistics)}. Use it "
            + "with that one, or register an operation here.",
            nameof(operation));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ThreadOperations FindOfThread()
    {
        s_all ??= [];
        var mine = FindMine(s_all);
        if (mine is null)
        {
            s_all.RemoveAll(static thread => !thread.IsCurrent);
            lock (_lock)
            {
                mine = new ThreadOperations(new WeakReference<OperationStatistics>(this), _epoch, Thread.CurrentThread);

                // Look for ended threads when the number of threads has doubled, so that each short-lived thread costs
                // constant time.
                if (_threads.Count >= 2 * Math.Max(_threadsAfterLastLook, 8))
                {
                    FoldEndedLocked();
                }

                _threads.Add(mine);
            }

            s_all.Add(mine);
        }

        s_lastUsed = mine;
        return mine;
    }

    // A thread that adds to several statistics in turn gets here each time, so this method allocates nothing.
    private ThreadOperations? FindMine(List<ThreadOperations> all)
    {
        foreach (var thread in all)
        {
            if (IsIn(thread.Epoch))
            {
                return thread;
            }
        }

        return null;
    }

    /// <summary>Merges the cells of all ended threads into those of one of them.</summary>
    private void FoldEndedLocked()
    {
        ThreadOperations? kept = null;
        _threads.RemoveAll(thread =>
        {
            // Read only once: a thread that ended between two reads would be removed without being merged.
            if (!thread.HasEnded || ReferenceEquals(kept ??= thread, thread))
            {
                return false;
            }

            thread.AddTo(kept);
            return true;
        });
        _threadsAfterLastLook = _threads.Count;
    }
}
