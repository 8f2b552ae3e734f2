namespace ScalableTimers.Analyzers.Transactions;

/// <summary>STM004: what waits by .NET's timers in a transaction.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class DelayInTransactionAnalyzer : RuleAnalyzer
{
    /// <summary>Creates the analyzer.</summary>
    public DelayInTransactionAnalyzer() : base(Rules.DelayInTransaction)
    {
    }

    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes types) =>
        context.RegisterOperationAction(
            operation => Analyze(operation, types), OperationKind.Invocation, OperationKind.ObjectCreation);

    private void Analyze(OperationAnalysisContext context, KnownTypes types)
    {
        var wait = Wait.Of(context.Operation, types);
        if (wait.Kind is not (WaitKind.Delay or WaitKind.Sleep or WaitKind.PeriodicTimer or WaitKind.Timer)
            || !Place.IsInTransaction(context.Operation, context.ContainingSymbol, types))
        {
            return;
        }

        var isInGrain = types.HasGrainDelay && Place.IsInGrain(context.ContainingSymbol, types);
        if (wait.IsInfinite && !isInGrain)
        {
            // It waits for its token alone, and no timer of .NET is involved.
            return;
        }

        context.ReportDiagnostic(Finding(context.Operation, wait.Name, Replacement(wait.Kind, isInGrain)));
    }

    private static string Replacement(WaitKind kind, bool isInGrain) => kind switch
    {
        WaitKind.PeriodicTimer when isInGrain => "IGrainDelay.CreatePeriodicTimer",
        WaitKind.PeriodicTimer or WaitKind.Timer => "TimerService.TimeProvider",
        _ => isInGrain ? "IGrainDelay.Delay" : "TimerService.Delay",
    };
}
