namespace ScalableTimers.Analyzers.Grains;

/// <summary>STM003: <c>System.Threading.Timer</c> and <c>System.Timers.Timer</c> in a grain.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class TimerInGrainAnalyzer : RuleAnalyzer
{
    /// <summary>Creates the analyzer.</summary>
    public TimerInGrainAnalyzer() : base(Rules.TimerInGrain)
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
        var wait = Wait.Of(context.Operation, types);
        if (wait.Kind == WaitKind.Timer
            && Place.IsInGrain(context.ContainingSymbol, types)
            && !Place.IsInTransaction(context.Operation, context.ContainingSymbol, types))
        {
            context.ReportDiagnostic(Finding(context.Operation, wait.Name));
        }
    }
}
