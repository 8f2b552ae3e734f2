namespace ScalableTimers.Compare.Workloads.TimeoutTokens;

/// <summary>Finds the highest load that something carries.</summary>
internal static class RisingLoad
{
    /// <summary>By how much the lowest load that was not carried exceeds the result at most.</summary>
    internal const double Precision = 1.06;

    private const double Step = 1.5;

    private const double Least = 1_000;

    /// <summary>Raises the load until it is too much, and then halves the gap.</summary>
    /// <param name="first">The first load, which may be too much.</param>
    /// <param name="carries">
    /// Whether a load is carried. It is asked again before a load is too much: something else may have kept the
    /// processors busy the first time.
    /// </param>
    /// <returns>The highest load found that is carried; zero if not even a thousand is.</returns>
    internal static double FindHighest(double first, Func<double, bool> carries)
    {
        var carried = 0.0;
        var tooMuch = double.PositiveInfinity;
        for (var load = first; tooMuch > carried * Precision; load = Next(carried, tooMuch))
        {
            if (load < Least)
            {
                return 0;
            }

            if (carries(load) || carries(load))
            {
                carried = load;
            }
            else
            {
                tooMuch = load;
            }
        }

        return carried;
    }

    private static double Next(double carried, double tooMuch) =>
        double.IsPositiveInfinity(tooMuch) ? carried * Step
        : carried == 0 ? tooMuch / Step
        : Math.Sqrt(carried * tooMuch);
}
