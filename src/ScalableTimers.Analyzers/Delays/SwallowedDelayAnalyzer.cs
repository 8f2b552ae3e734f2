namespace ScalableTimers.Analyzers.Delays;

/// <summary>STM007: a delay whose cancellation is thrown only to be swallowed.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class SwallowedDelayAnalyzer : RuleAnalyzer
{
    /// <summary>Creates the analyzer.</summary>
    public SwallowedDelayAnalyzer() : base(Rules.SwallowedDelay)
    {
    }

    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes types)
    {
        if (types.HasTimerService)
        {
            context.RegisterOperationAction(operation => Analyze(operation, types), OperationKind.Try);
        }
    }

    private void Analyze(OperationAnalysisContext context, KnownTypes types)
    {
        var attempt = (ITryOperation)context.Operation;
        if (SwallowedDelay.Of(attempt, types) is not { } swallowed
            || Place.IsInTransaction(attempt, context.ContainingSymbol, types)
            || types.HasGrainDelay && Place.IsInGrain(context.ContainingSymbol, types))
        {
            return;
        }

        var name = swallowed.Service?.Syntax.ToString()
            ?? Reach.Find(attempt, context.ContainingSymbol, types.TimerService)?.Name;
        if (name is not null)
        {
            context.ReportDiagnostic(Finding(swallowed.Delay, name));
        }
    }
}
