namespace ScalableTimers.StressTests;

/// <summary>
/// Due times for every path of the clock and the wheel: zero, fractions of a tick, whole ticks, exact multiples of a
/// wheel level, deadlines on a level's border, and everything else.
/// </summary>
internal sealed class DueTimes(Random random, TimerService service, TimeSpan resolution, TimeSpan longest)
{
    private const int FirstLevel = 64;
    private const int SecondLevel = 64 * 64;
    private const int SomeTicks = 256;

    internal TimeSpan Next() => random.Next(10) switch
    {
        0 => TimeSpan.Zero,
        1 => new TimeSpan(random.NextInt64(1, resolution.Ticks)),
        2 => resolution * random.Next(1, SomeTicks),
        3 => resolution * (random.NextDouble() * SomeTicks),
        4 => MultipleOf(FirstLevel),
        5 => OnBorderOf(FirstLevel),
        6 => OnBorderOf(SecondLevel),
        _ => longest * random.NextDouble(),
    };

    private TimeSpan MultipleOf(int ticks)
    {
        var most = (int)(longest / (resolution * ticks));
        return resolution * ticks * random.Next(1, most + 1);
    }

    /// <summary>A due time whose deadline is the first tick of a higher level's slot.</summary>
    private TimeSpan OnBorderOf(int ticks)
    {
        var border = ((service.Clock.NowTick() / ticks) + 1) * ticks;
        var untilBefore = service.Clock.Until(border) - (resolution / 2);
        return untilBefore <= longest ? TimeSpan.FromTicks(Math.Max(0, untilBefore.Ticks)) : MultipleOf(FirstLevel);
    }
}
