namespace ScalableTimers.CodeFixes;

/// <summary>Replaces timeouts of .NET: a source by a lease where that fits, and otherwise the clock.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(TimeoutFix)), Shared]
public sealed class TimeoutFix : RuleFix
{
    /// <summary>Creates the fix.</summary>
    public TimeoutFix()
        : base("Limit time by TimerService", Rules.TimeoutInTransaction.Id, Rules.TimeoutSource.Id)
    {
    }

    private protected override async Task<bool> TryFixAsync(SolutionEdit edit, Finding finding)
    {
        var list = finding.Node switch
        {
            BaseObjectCreationExpressionSyntax { ArgumentList: { } arguments } => arguments,
            InvocationExpressionSyntax { ArgumentList: var arguments } => arguments,
            _ => null,
        };
        var isLease = finding.Operation is IObjectCreationOperation source && LeaseShape.Fits(source);
        if (list is null || !isLease && list.Arguments.Any(static argument => argument.NameColon is not null))
        {
            return false;
        }

        switch (finding.Operation)
        {
            case IObjectCreationOperation creation when TimeOf(creation) is { } timeout:
                var service = OurClock.ServiceOf(creation.Arguments, finding.Types)?.Syntax.ToString()
                    ?? await ServiceAsync(edit, finding).ConfigureAwait(false);
                if (service is null)
                {
                    return false;
                }

                var editor = await edit.EditorAsync(finding.Document).ConfigureAwait(false);
                if (isLease)
                {
                    Rent(editor, creation, timeout, service);
                }
                else
                {
                    editor.ReplaceNode(list, (current, generator) => WithClock(
                        Fragments.Arguments(generator, (ArgumentListSyntax)current, timeout), service));
                }

                return true;
            case IInvocationOperation { TargetMethod.Name: "WaitAsync" }:
                if (await ServiceAsync(edit, finding).ConfigureAwait(false) is not { } timers)
                {
                    return false;
                }

                (await edit.EditorAsync(finding.Document).ConfigureAwait(false))
                    .ReplaceNode(list, (current, _) => WithClock((ArgumentListSyntax)current, timers));
                return true;
            default:
                return false;
        }
    }

    private static Task<string?> ServiceAsync(SolutionEdit edit, Finding finding) =>
        edit.ReachAsync(finding, finding.Types.TimerService, "timers");

    private static IOperation? TimeOf(IObjectCreationOperation creation) =>
        creation.Arguments.FirstOrDefault(static argument => argument.Parameter?.Ordinal == 0)?.Value;

    private static void Rent(
        SyntaxEditor editor, IObjectCreationOperation creation, IOperation timeout, string service)
    {
        var syntax = creation.Syntax;
        var declarator = (VariableDeclaratorSyntax)syntax.Parent!.Parent!;
        var local = (ILocalSymbol)creation.SemanticModel!.GetDeclaredSymbol(declarator)!;
        foreach (var reference in Ownership.ReferencesTo(local, creation))
        {
            if (reference.Parent is IPropertyReferenceOperation { Property.Name: "IsCancellationRequested" })
            {
                editor.ReplaceNode(
                    reference.Syntax,
                    SyntaxFactory.ParseExpression(local.Name + ".Token").WithTriviaFrom(reference.Syntax));
            }
        }

        editor.ReplaceNode(syntax, (current, generator) => Fragments.Call(
            service,
            "RentTimeout",
            Fragments.Arguments(generator, ((BaseObjectCreationExpressionSyntax)current).ArgumentList!, timeout))
            .WithTriviaFrom(current));
        Declarations.UseVar(editor, (VariableDeclarationSyntax)declarator.Parent!);
    }

    // The clock stands behind the time, before a token.
    private static ArgumentListSyntax WithClock(ArgumentListSyntax list, string service)
    {
        var clock = SyntaxFactory.Argument(SyntaxFactory.ParseExpression(service + ".TimeProvider"));
        return list.WithArguments(list.Arguments.Insert(1, clock.WithLeadingTrivia(SyntaxFactory.ElasticSpace)));
    }
}
