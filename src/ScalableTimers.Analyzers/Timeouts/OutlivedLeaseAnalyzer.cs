namespace ScalableTimers.Analyzers.Timeouts;

/// <summary>STM002: the token of a lease that ends with its block, where the token does not.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class OutlivedLeaseAnalyzer() : RuleAnalyzer(Rules.OutlivedLease)
{
    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes types) =>
        context.RegisterOperationAction(operation => Analyze(operation, types), OperationKind.VariableDeclarator);

    private void Analyze(OperationAnalysisContext context, KnownTypes types)
    {
        var lease = (IVariableDeclaratorOperation)context.Operation;
        if (!KnownTypes.Same(lease.Symbol.Type, types.TimeoutLease) || !Ownership.IsUsing(lease))
        {
            return;
        }

        foreach (var use in LeaseToken.UsesOf(lease))
        {
            // In a function the token may be returned to code that awaits it while the lease lives.
            if (LeaseToken.EscapeOf(use) is { } how && Surroundings.Function(use) == Surroundings.Function(lease))
            {
                context.ReportDiagnostic(Finding(use, how));
            }
        }
    }
}
