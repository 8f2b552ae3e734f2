namespace ScalableTimers.Exploration.Engine;

/// <summary>The types of the core and its shadows.</summary>
internal static class CoreTypes
{
    internal static IEnumerable<Type> All =>
        typeof(TimerService).Assembly.GetTypes().Where(
            static type =>
                $"{type.Namespace}.".StartsWith("ScalableTimers.", StringComparison.Ordinal)
                    && !$"{type.Namespace}.".StartsWith("ScalableTimers.Exploration.", StringComparison.Ordinal));
}
