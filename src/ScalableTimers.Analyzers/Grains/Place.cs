namespace ScalableTimers.Analyzers.Grains;

/// <summary>Tells where code is.</summary>
internal static class Place
{
    /// <summary>Whether a member's code belongs to an activation. A static member's code does not.</summary>
    internal static bool IsInGrain(ISymbol member, KnownTypes types) =>
        !member.IsStatic && types.IsGrain(member.ContainingType);

    /// <summary>Whether a member is <c>OnDeactivateAsync</c>, also as <c>IGrainBase.OnDeactivateAsync</c>.</summary>
    internal static bool IsDeactivation(ISymbol member) =>
        member.Name.EndsWith("OnDeactivateAsync", StringComparison.Ordinal);
}
