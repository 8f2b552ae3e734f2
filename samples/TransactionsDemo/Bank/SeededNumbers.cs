namespace TransactionsDemo.Bank;

/// <summary>
/// Numbers that look random and depend on two keys only (SplitMix64), on every machine and in every version of .NET.
/// </summary>
internal struct SeededNumbers
{
    private const ulong GoldenRatio = 0x9E3779B97F4A7C15;

    private ulong _state;

    public SeededNumbers(ulong key, ulong subkey)
    {
        _state = Mix(key + GoldenRatio) ^ Mix(subkey ^ GoldenRatio);
    }

    /// <summary>From 0 up to but not including <paramref name="limit"/>.</summary>
    public int NextBelow(int limit) => (int)Math.BigMul(Next(), (ulong)limit, out _);

    /// <summary>From 0 up to but not including 1.</summary>
    public double NextShare() => (Next() >> 11) * (1.0 / (1UL << 53));

    private ulong Next()
    {
        _state += GoldenRatio;
        return Mix(_state);
    }

    private static ulong Mix(ulong value)
    {
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }
}
