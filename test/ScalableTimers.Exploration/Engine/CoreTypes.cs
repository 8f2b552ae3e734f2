namespace ScalableTimers.Exploration.Engine;

/// <summary>Tells which types of this assembly belong to the core.</summary>
internal static class CoreTypes
{
    internal static IEnumerable<Type> All => typeof(TimerService).Assembly.GetTypes().Where(Contains);

    internal static bool Contains(Type type) =>
        type.Namespace is { } name
        && (name == "ScalableTimers" || name.StartsWith("ScalableTimers.", StringComparison.Ordinal))
        && name != "ScalableTimers.Exploration"
            && !name.StartsWith("ScalableTimers.Exploration.", StringComparison.Ordinal)
        && !Outermost(type).IsDefined(typeof(ShadowAttribute), inherit: false);

    private static Type Outermost(Type type) => type.DeclaringType is { } outer ? Outermost(outer) : type;
}
