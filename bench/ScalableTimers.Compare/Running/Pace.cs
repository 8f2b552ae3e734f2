namespace ScalableTimers.Compare.Running;

/// <summary>How often a server does something, and how much memory its other work reads between.</summary>
/// <param name="PerSecond">Operations a second, at least 1,000.</param>
/// <param name="Megabytes">What is read before each burst; zero for nothing.</param>
internal readonly record struct Pace(int PerSecond, int Megabytes)
{
    internal static IEnumerable<Pace> All { get; } =
        from megabytes in new[] { 0, 1, 32 }
        from perSecond in new[] { 1_000, 20_000, 100_000 }
        select new Pace(perSecond, megabytes);

    /// <summary>Gets the end of a workload's name, such as "20k-32mb".</summary>
    internal string Name => $"{PerSecond / 1000}k{(Megabytes == 0 ? string.Empty : $"-{Megabytes}mb")}";

    /// <summary>Gets the end of a question.</summary>
    internal string Text =>
        $"at a pace of {PerSecond:N0} a second, in bursts"
        + (Megabytes == 0 ? "?" : $", between which {Megabytes} MB of memory are read?");
}
