namespace ScalableTimers.StressTests.Recording;

/// <summary>A distribution of lateness, for reading. A busy machine makes any timer late, so nothing is asserted of it.</summary>
internal readonly struct Lateness
{
    private readonly long[] _sorted;

    public Lateness(IEnumerable<long> units)
    {
        _sorted = [.. units];
        Array.Sort(_sorted);
    }

    public override string ToString() =>
        _sorted.Length == 0
            ? "none"
            : $"earliest {Milliseconds(_sorted[0])}, late p50 {At(0.5)}, p99 {At(0.99)}, p99.9 {At(0.999)}, max {Milliseconds(_sorted[^1])} ms";

    private static string Milliseconds(long units) => $"{StressTime.ToMilliseconds(units):F3}";

    private string At(double share) => Milliseconds(_sorted[(int)(share * (_sorted.Length - 1))]);
}
