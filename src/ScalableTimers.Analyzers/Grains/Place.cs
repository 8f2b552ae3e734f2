namespace ScalableTimers.Analyzers.Grains;

/// <summary>Where code is.</summary>
internal static class Place
{
    private const string DeactivationMethod = "OnDeactivateAsync";

    /// <summary>Whether a member's code belongs to an activation. That of a static member belongs to none.</summary>
    internal static bool IsInGrain(ISymbol member, KnownTypes types) =>
        !member.IsStatic && types.IsGrain(member.ContainingType);

    internal static bool IsDeactivation(ISymbol member, KnownTypes types) =>
        member is IMethodSymbol method && IsInGrain(member, types)
            && (method.Name == DeactivationMethod
                || method.ExplicitInterfaceImplementations.Any(static m => m.Name == DeactivationMethod));
}
