namespace ScalableTimers.Analyzers.Transactions;

/// <summary>STM005: timeouts of .NET in a transaction.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class TimeoutInTransactionAnalyzer : RuleAnalyzer
{
    /// <summary>Creates the analyzer.</summary>
    public TimeoutInTransactionAnalyzer() : base(Rules.TimeoutInTransaction)
    {
    }

    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes types)
    {
        if (types.HasTimerService)
        {
            context.RegisterOperationAction(
                operation => Analyze(operation, types), OperationKind.Invocation, OperationKind.ObjectCreation);
        }
    }

    private void Analyze(OperationAnalysisContext context, KnownTypes types)
    {
        var wait = Wait.Of(context.Operation, types);
        if (wait.Kind is WaitKind.TimeoutSource or WaitKind.CancelAfter or WaitKind.WaitAsync
            && Place.IsInTransaction(context.Operation, context.ContainingSymbol, types))
        {
            var replacement = wait.Kind == WaitKind.WaitAsync
                ? "the TimeProvider of TimerService"
                : "TimerService.RentTimeout";
            context.ReportDiagnostic(Finding(context.Operation, wait.Name, replacement));
        }
    }
}
