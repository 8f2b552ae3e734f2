namespace ScalableTimers.Analyzers;

/// <summary>Finds the service behind an argument such as <c>timers.TimeProvider</c>.</summary>
internal static class OurClock
{
    /// <summary>Finds the expression of the service; null if no argument is the clock of one.</summary>
    internal static IOperation? ServiceOf(ImmutableArray<IArgumentOperation> arguments, KnownTypes types)
    {
        foreach (var argument in arguments)
        {
            if (argument.Value is IPropertyReferenceOperation { Property: var property, Instance: { } instance }
                && property.Name == "TimeProvider" && KnownTypes.Same(property.ContainingType, types.TimerService))
            {
                return instance;
            }
        }

        return null;
    }
}
