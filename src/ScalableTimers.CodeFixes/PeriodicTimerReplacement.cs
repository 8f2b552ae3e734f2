namespace ScalableTimers.CodeFixes;

/// <summary>Replaces a <c>PeriodicTimer</c> in a local of a grain's method by one of its activation.</summary>
internal static class PeriodicTimerReplacement
{
    /// <summary>Replaces one; false where it does not stay in its local.</summary>
    internal static async Task<bool> TryAsync(SolutionEdit edit, Finding finding, IOperation period)
    {
        if (!Place.IsInGrain(finding.Member, finding.Types)
            || Place.IsDeactivation(finding.Member, finding.Types)
            || finding.Node is not BaseObjectCreationExpressionSyntax { Initializer: null, ArgumentList: not null }
            || finding.Node.Parent is not EqualsValueClauseSyntax
            {
                Parent: VariableDeclaratorSyntax
                {
                    Parent: VariableDeclarationSyntax { Variables.Count: 1 } declaration
                } declarator
            }
            || finding.Model.GetDeclaredSymbol(declarator, edit.CancellationToken) is not ILocalSymbol local
            || !Ownership.ReferencesTo(local, finding.Operation).All(IsOfPeriodicTimer)
            || await edit.ReachAsync(finding, finding.Types.GrainDelay, "delay").ConfigureAwait(false)
                is not { } receiver)
        {
            return false;
        }

        var editor = await edit.EditorAsync(finding.Document).ConfigureAwait(false);
        editor.ReplaceNode(
            finding.Node,
            (current, generator) => Fragments.Call(
                receiver,
                "CreatePeriodicTimer",
                Fragments.Arguments(generator, ((BaseObjectCreationExpressionSyntax)current).ArgumentList!, period))
                .WithTriviaFrom(current));
        Declarations.UseVar(editor, declaration);
        return true;
    }

    private static bool IsOfPeriodicTimer(ILocalReferenceOperation reference) => reference.Parent switch
    {
        IInvocationOperation call => call.TargetMethod.Name is "WaitForNextTickAsync" or "Dispose",
        IPropertyReferenceOperation property => property.Property.Name == "Period",
        _ => false,
    };
}
