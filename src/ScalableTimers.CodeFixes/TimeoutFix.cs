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
        switch (finding.Operation)
        {
            case IObjectCreationOperation creation:
                var service = OurClock.ServiceOf(creation.Arguments, finding.Types)?.Syntax.ToString()
                    ?? await ServiceAsync(edit, finding).ConfigureAwait(false);
                return service is not null
                    && ReplaceSource(await edit.EditorAsync(finding.Document).ConfigureAwait(false), creation, service);
            case IInvocationOperation { TargetMethod.Name: "WaitAsync" } call
                when call.Syntax is InvocationExpressionSyntax syntax:
                return await ServiceAsync(edit, finding).ConfigureAwait(false) is { } timers
                    && GiveClock(
                        await edit.EditorAsync(finding.Document).ConfigureAwait(false), syntax.ArgumentList, timers);
            default:
                return false;
        }
    }

    private static Task<string?> ServiceAsync(SolutionEdit edit, Finding finding) =>
        edit.ReachAsync(finding, finding.Types.TimerService, "timers");

    private static bool ReplaceSource(SyntaxEditor editor, IObjectCreationOperation creation, string service)
    {
        if (creation.Syntax is not BaseObjectCreationExpressionSyntax { ArgumentList: { } list } syntax
            || creation.Arguments.FirstOrDefault(static argument => argument.Parameter?.Ordinal == 0)?.Value
                is not { } timeout)
        {
            return false;
        }

        if (!LeaseShape.Fits(creation))
        {
            editor.ReplaceNode(list.Arguments[0].Expression, Fragments.Time(editor.Generator, timeout));
            return GiveClock(editor, list, service);
        }

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

        editor.ReplaceNode(
            syntax,
            Fragments.Call(service, "RentTimeout", Fragments.Time(editor.Generator, timeout)).WithTriviaFrom(syntax));
        Declarations.UseVar(editor, (VariableDeclarationSyntax)declarator.Parent!);
        return true;
    }

    // The clock stands behind the time, before a token.
    private static bool GiveClock(SyntaxEditor editor, ArgumentListSyntax list, string service)
    {
        if (list.Arguments.Any(static argument => argument.NameColon is not null))
        {
            return false;
        }

        var clock = SyntaxFactory.Argument(SyntaxFactory.ParseExpression(service + ".TimeProvider"));
        editor.ReplaceNode(list, (current, _) =>
        {
            var arguments = (ArgumentListSyntax)current;
            return arguments.WithArguments(
                arguments.Arguments.Insert(1, clock.WithLeadingTrivia(SyntaxFactory.ElasticSpace)));
        });
        return true;
    }
}
