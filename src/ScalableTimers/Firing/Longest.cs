namespace ScalableTimers.Firing;

/// <summary>The longest of durations that any thread may note.</summary>
internal struct Longest
{
    private long _value;

    internal long Value => Volatile.Read(ref _value);

    internal void Note(long value)
    {
        // A guess, as the compare-exchange decides.
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
