namespace ScalableTimers.Analyzers.Timeouts;

/// <summary>STM003: a lease that is never disposed.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class UndisposedLeaseAnalyzer() : RuleAnalyzer(Rules.UndisposedLease)
{
    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes types) =>
        context.RegisterOperationAction(operation => Analyze(operation, types), OperationKind.Invocation);

    private void Analyze(OperationAnalysisContext context, KnownTypes types)
    {
        var call = (IInvocationOperation)context.Operation;
        if (call.TargetMethod.Name == "RentTimeout"
            && KnownTypes.Same(call.TargetMethod.ContainingType, types.TimerService)
            && Ownership.IsNeverDisposed(call))
        {
            context.ReportDiagnostic(Finding(call));
        }
    }
}
