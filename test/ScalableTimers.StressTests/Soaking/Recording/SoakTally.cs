using System.Collections.Concurrent;

namespace ScalableTimers.StressTests.Soaking.Recording;

/// <summary>The counts of all timers in the whole run: how they ended, and their faults.</summary>
internal sealed class SoakTally
{
    private const int Shown = 8;

    private readonly KindTally[] _kinds = [.. Enum.GetValues<SoakKind>().Select(static _ => new KindTally())];
    private readonly long[] _faults = new long[Enum.GetValues<SoakFault>().Length];
    private readonly ConcurrentQueue<string> _descriptions = new();
    private volatile bool _isSealed;

    internal KindTally this[SoakKind kind] => _kinds[(int)kind];

    internal long Started => _kinds.Sum(static kind => kind.Started);

    internal bool HasFaults => Array.Exists(_faults, static count => count > 0);

    internal long Count(SoakFault fault) => Volatile.Read(ref _faults[(int)fault]);

    /// <summary>From now on reports are ignored.</summary>
    internal void Seal() => _isSealed = true;

    internal void Report(SoakFault fault, string description)
    {
        if (!_isSealed && Interlocked.Increment(ref _faults[(int)fault]) <= Shown)
        {
            _descriptions.Enqueue($"{fault}: {description}");
        }
    }

    internal string Describe() =>
        string.Join(
            ", ",
            Enum.GetValues<SoakFault>().Where(fault => Count(fault) > 0).Select(fault => $"{Count(fault):N0} {fault}"))
        + string.Concat(_descriptions.Select(static line => $"{Environment.NewLine}  {line}"));
}
