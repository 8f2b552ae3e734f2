using System.Runtime.CompilerServices;

namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>
/// A row with its own cache lines: no other row's figures lie within two lines, as processors fetch lines in pairs.
/// </summary>
/// <remarks>
/// A lock of the row is in its header, and so has these lines too. But once threads contend for it, the runtime may
/// move it to a table, where no padding reaches it.
/// </remarks>
internal sealed class PaddedRow : Row
{
    // The runtime puts the fields of the base class first. The next row follows these.
    internal Padding After { get; }

    [InlineArray(16)]
    internal struct Padding
    {
        private long _first;
    }
}
