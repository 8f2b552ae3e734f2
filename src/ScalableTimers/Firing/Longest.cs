namespace ScalableTimers.Firing;

/// <summary>The longest of durations that any thread may note.</summary>
internal struct Longest
{
    private long _value;

    internal long Value => Volatile.Read(ref _value);

    internal void Note(long value)
    {
        // The value only grows, so an older one is no higher, and the compare-exchange decides. In a 32-bit process a
        // read may be half of a newer value, and a duration may then be missed.
        var seen = _value;
        while (seen < value)
        {
            var found = Interlocked.CompareExchange(ref _value, value, seen);
            if (found == seen)
            {
                return;
            }

            seen = found;
        }
    }
}
