using ScalableTimers.Analyzers.Timeouts;

namespace ScalableTimers.Analyzers;

/// <summary>Tells whether a lease can take the place of a source.</summary>
internal static class LeaseShape
{
    /// <summary>
    /// Whether a source belongs to a <c>using</c>, only its token is used, and that while the source is.
    /// </summary>
    internal static bool Fits(IObjectCreationOperation source) =>
        Ownership.Outermost(source).Parent is IVariableInitializerOperation
        {
            Parent: IVariableDeclaratorOperation declarator
        }
            && declarator.Parent is IVariableDeclarationOperation { Declarators.Length: 1 }
            && Ownership.IsUsing(declarator)
            && Ownership.ReferencesTo(declarator.Symbol, source).All(IsOfLease)
            && TokenUse.Of(declarator).All(use =>
                use.IsContained && Ownership.AreInOneFunction(use.Operation, declarator));

    private static bool IsOfLease(ILocalReferenceOperation reference) =>
        reference.Parent is IPropertyReferenceOperation { Property.Name: "Token" or "IsCancellationRequested" };
}
