namespace ScalableTimers.Analyzers.Grains;

/// <summary>STM002: <c>PeriodicTimer</c> in a grain.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class PeriodicTimerInGrainAnalyzer : RuleAnalyzer
{
    /// <summary>Creates the analyzer.</summary>
    public PeriodicTimerInGrainAnalyzer() : base(Rules.PeriodicTimerInGrain)
    {
    }

    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes types)
    {
        if (types.HasGrainDelay)
        {
            context.RegisterOperationAction(operation => Analyze(operation, types), OperationKind.ObjectCreation);
        }
    }

    private void Analyze(OperationAnalysisContext context, KnownTypes types)
    {
        // While a grain deactivates, periods of IGrainDelay end at once, so there they are no replacement.
        if (Wait.Of(context.Operation, types).Kind == WaitKind.PeriodicTimer
            && Place.IsInGrain(context.ContainingSymbol, types)
            && !Place.IsDeactivation(context.ContainingSymbol, types)
            && !Place.IsInTransaction(context.Operation, context.ContainingSymbol, types))
        {
            context.ReportDiagnostic(Finding(context.Operation));
        }
    }
}
