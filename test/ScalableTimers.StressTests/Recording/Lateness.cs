namespace ScalableTimers.StressTests.Recording;

/// <summary>
/// A distribution of lateness, for people to read. A busy machine makes any timer late, so the tests assert nothing
/// about it.
/// </summary>
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
            : $"late by {At(0)} to {At(1)} ms, p50 {At(0.5)}, p99 {At(0.99)}, p99.9 {At(0.999)}";

    private string At(double share) => $"{StressTime.ToMilliseconds(_sorted[(int)(share * (_sorted.Length - 1))]):F3}";
}
