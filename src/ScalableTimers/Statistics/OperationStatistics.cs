using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Diagnostics.Metrics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using ScalableTimers.Metrics;
using ScalableTimers.Statistics;

namespace ScalableTimers;

/// <summary>
/// Counts operations and how long they take, all the time and everywhere, at a cost that does not show.
/// </summary>
/// <remarks>
/// <para>
/// <b>Cost.</b> Adding takes a few nanoseconds, on any number of threads: each writes to cells of its own. It neither
/// locks nor allocates, but for the first time that a thread adds an operation, which takes four kilobytes until the
/// thread has ended. Adding by name or by enum value takes a look-up more; values of a second enum allocate their
/// names. Reading adds all cells up.
/// </para>
/// <para><b>Accuracy.</b> As <see cref="OperationSummary"/>. Durations are counted in units of 100 nanoseconds.</para>
/// <para>
/// <b>Order.</b> What is added while figures are read may be in them, in some of them, or in none; afterwards it is in
/// all.
/// </para>
/// <para><b>Threads.</b> All members may be called concurrently. What an ended thread has added is kept.</para>
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
    private object? _enumOperations;
    private OperationCell[] _ended = [];
    private int _threadsAfterLastLook;

    // Another one after each clearing. Threads compare it with that of their cells, which tells both whose those are
    // and whether they count.
    private object _epoch = new();

    /// <summary>Creates statistics without operations.</summary>
    /// <param name="name">What they are of; null keeps them from being published.</param>
    /// <param name="meterFactory">
    /// What makes the meter "ScalableTimers.Operations", which publishes them; null for a meter of their own.
    /// </param>
    /// <param name="clock">
    /// What <see cref="Measure(Operation)"/> reads; null for <see cref="TimeProvider.System"/>.
    /// </param>
    public OperationStatistics(string? name = null, IMeterFactory? meterFactory = null, TimeProvider? clock = null)
    {
        Clock = clock ?? TimeProvider.System;
        Name = name;
        _metrics = name is null ? null : OperationMetrics.Publish(this, meterFactory);
    }

    internal TimeProvider Clock { get; }

    internal string? Name { get; }

    /// <summary>
    /// The number of threads that have cells of their own, ended ones that have not been noticed included.
    /// </summary>
    internal int Threads
    {
        get
        {
            lock (_lock)
            {
                return _threads.Count;
            }
        }
    }

    /// <summary>Registers an operation. May be done at any time, and again.</summary>
    /// <param name="operation">Its name.</param>
    /// <returns>The operation of that name.</returns>
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

    /// <summary>Registers an operation by an enum's value, under the value's name.</summary>
    /// <remarks>All values of the enum that is used first are registered together, and found the quickest.</remarks>
    /// <typeparam name="TOperation">The enum.</typeparam>
    /// <param name="operation">The value.</param>
    /// <returns>The operation of that name.</returns>
    public Operation Register<TOperation>(TOperation operation)
        where TOperation : struct, Enum
    {
        var known = Volatile.Read(ref _enumOperations) ?? AddEnum<TOperation>();
        return known is FrozenDictionary<TOperation, Operation> operations
            && operations.TryGetValue(operation, out var found)
            ? found
            : Register(operation.ToString());
    }

    /// <summary>Adds a run of an operation.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="duration">How long it took.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="duration"/> is negative.</exception>
    /// <exception cref="ArgumentException">The operation is of other statistics.</exception>
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

    /// <summary>Adds a run of an operation, which is registered if it was not.</summary>
    /// <param name="operation">The operation's name.</param>
    /// <param name="duration">How long it took.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="duration"/> is negative.</exception>
    public void Add(string operation, TimeSpan duration) => Add(Register(operation), duration);

    /// <summary>Adds a run of an operation, which is registered if it was not.</summary>
    /// <typeparam name="TOperation">The enum.</typeparam>
    /// <param name="operation">The value that names the operation.</param>
    /// <param name="duration">How long it took.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="duration"/> is negative.</exception>
    public void Add<TOperation>(TOperation operation, TimeSpan duration)
        where TOperation : struct, Enum => Add(Register(operation), duration);

    /// <summary>
    /// Begins to measure a run of an operation: <c>using (statistics.Measure(operation)) { … }</c>.
    /// </summary>
    /// <param name="operation">The operation.</param>
    /// <returns>What adds the run when it is disposed.</returns>
    public OperationMeasurement Measure(Operation operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return ReferenceEquals(operation.Owner, this) ? new OperationMeasurement(operation) : throw OfOthers(operation);
    }

    /// <summary>Begins to measure a run of an operation, which is registered if it was not.</summary>
    /// <param name="operation">The operation's name.</param>
    /// <returns>What adds the run when it is disposed.</returns>
    public OperationMeasurement Measure(string operation) => new(Register(operation));

    /// <summary>Begins to measure a run of an operation, which is registered if it was not.</summary>
    /// <typeparam name="TOperation">The enum.</typeparam>
    /// <param name="operation">The value that names the operation.</param>
    /// <returns>What adds the run when it is disposed.</returns>
    public OperationMeasurement Measure<TOperation>(TOperation operation)
        where TOperation : struct, Enum => new(Register(operation));

    /// <summary>Forgets all runs so far. Operations stay registered.</summary>
    /// <remarks>
    /// What is added after this has returned counts; what is added at the same time counts or is forgotten.
    /// </remarks>
    public void Clear()
    {
        lock (_lock)
        {
            // Threads that find another epoch than that of their cells leave them alone and begin new ones.
            Volatile.Write(ref _epoch, new object());
            _threads.Clear();
            _threadsAfterLastLook = 0;
            _ended = [];
        }
    }

    /// <summary>Gets the figures of all operations, in the order of their registration.</summary>
    /// <returns>A summary each, also of operations that never ran.</returns>
    public IReadOnlyList<OperationSummary> Snapshot()
    {
        lock (_lock)
        {
            FoldEndedLocked();
            var sums = NewSums();
            foreach (var (ended, sum) in _ended.Zip(sums))
            {
                ended.AddTo(sum);
            }

            _threads.ForEach(thread => thread.AddTo(sums));
            return [.. _operations.Zip(sums, static (operation, sum) => sum.Summarize(operation.Name))];
        }
    }

    /// <summary>Ends the publication of the figures. Everything else goes on working.</summary>
    public void Dispose() => _metrics?.Dispose();

    /// <summary>Gets a table of the operations that have run.</summary>
    /// <returns>
    /// A line for each with its count and its total, longest and shortest time in milliseconds, under a heading.
    /// </returns>
    public override string ToString()
    {
        var text = new StringBuilder("Operation Count TotalTimeMs MaxTimeMs MinTimeMs");
        foreach (var row in Snapshot().Where(static row => row.Count > 0))
        {
            text.AppendLine().Append(
                CultureInfo.InvariantCulture,
                $"{row.Operation} {row.Count} {row.TotalTimeMs:0.###} {row.MaxTimeMs:0.###} {row.MinTimeMs:0.###}");
        }

        return text.ToString();
    }

    internal bool IsIn(object epoch) => ReferenceEquals(epoch, Volatile.Read(ref _epoch));

    private static void ThrowInvalid(Operation operation, TimeSpan duration)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(duration, TimeSpan.Zero);
        throw OfOthers(operation);
    }

    private static ArgumentException OfOthers(Operation operation) =>
        new($"The operation \"{operation.Name}\" was registered with other statistics.", nameof(operation));

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
                // Looked for when their number has doubled, so that threads that come and go cost constant time each.
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

    // A thread that adds to several statistics in turn comes here each time, so this allocates nothing.
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

    /// <summary>Takes what ended threads have added into one set of cells, and lets go of theirs.</summary>
    private void FoldEndedLocked()
    {
        var sums = NewSums();
        _ended.CopyTo(sums, 0);
        _threads.RemoveAll(thread =>
        {
            // Asked once: one that ends between two questions would be let go without having been added.
            var hasEnded = thread.HasEnded;
            if (hasEnded)
            {
                thread.AddTo(sums);
            }

            return hasEnded;
        });
        _threadsAfterLastLook = _threads.Count;
        _ended = sums;
    }

    private object AddEnum<TOperation>()
        where TOperation : struct, Enum
    {
        var operations = Enum.GetValues<TOperation>()
            .Distinct()
            .ToFrozenDictionary(static value => value, value => Register(value.ToString()));
        return Interlocked.CompareExchange(ref _enumOperations, operations, null) ?? operations;
    }

    private OperationCell[] NewSums() => [.. _operations.Select(static _ => new OperationCell())];
}
