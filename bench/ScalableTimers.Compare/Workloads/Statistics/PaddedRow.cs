using System.Runtime.CompilerServices;

namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>
/// A row with its own cache lines: no other row's figures or lock lie within two lines, as processors fetch lines in
/// pairs.
/// </summary>
internal sealed class PaddedRow : Row
{
    // The runtime puts the fields of the base class first. The next row, with its lock in its header, follows these.
    internal Padding After { get; }

    [InlineArray(16)]
    internal struct Padding
    {
        private long _first;
    }
}
