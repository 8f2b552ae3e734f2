namespace ScalableTimers.Exploration.Engine;

/// <summary>Random decisions. The rate of thread switches differs between interleavings.</summary>
internal sealed class RandomWalk(int seed, int count) : Strategy
{
    private static readonly double[] s_rates = [0.5, 0.2, 0.05];

    private readonly Random _random = new(seed);
    private int _begun;
    private double _rate;

    internal override bool Begin()
    {
        _rate = s_rates[_begun % s_rates.Length];
        return _begun++ < count;
    }

    internal override int Choose(int options, bool isPreemption, int decision) =>
        isPreemption
            ? _random.NextDouble() < _rate ? 1 + _random.Next(options - 1) : 0
            : _random.Next(options);
}
