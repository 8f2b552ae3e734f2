namespace ScalableTimers.Analyzers.Grains;

/// <summary>Where code is.</summary>
internal static class Place
{
    /// <summary>Whether a member's code belongs to an activation. That of a static member belongs to none.</summary>
    internal static bool IsInGrain(ISymbol member, KnownTypes types) =>
        !member.IsStatic && types.IsGrain(member.ContainingType);

    /// <summary>Whether a member is <c>OnDeactivateAsync</c>, perhaps as <c>IGrainBase.OnDeactivateAsync</c>.</summary>
    internal static bool IsDeactivation(ISymbol member) =>
        member.Name.EndsWith("OnDeactivateAsync", StringComparison.Ordinal);
}
