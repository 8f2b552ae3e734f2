using ScalableTimers.Exploration.Engine;

namespace ScalableTimers;

/// <summary>Hides <see cref="System.Diagnostics.Debug"/>: what is not true fails the interleaving.</summary>
[Shadow]
internal static class Debug
{
    internal static void Assert(bool condition, string message = "An assertion does not hold.") => Interleaving.Require(condition, message);
}
