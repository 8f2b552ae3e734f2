namespace ScalableTimers.Analyzers.Timeouts;

/// <summary>STM006: a source with a timeout that a lease can replace.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class TimeoutSourceAnalyzer : RuleAnalyzer
{
    /// <summary>Creates the analyzer.</summary>
    public TimeoutSourceAnalyzer() : base(Rules.TimeoutSource)
    {
    }

    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes types)
    {
        if (types.HasTimerService)
        {
            context.RegisterOperationAction(operation => Analyze(operation, types), OperationKind.ObjectCreation);
        }
    }

    private void Analyze(OperationAnalysisContext context, KnownTypes types)
    {
        var creation = (IObjectCreationOperation)context.Operation;
        var service = OurClock.ServiceOf(creation.Arguments, types);
        if (service is null && Wait.Of(creation, types).Kind != WaitKind.TimeoutSource
            || !KnownTypes.Same(creation.Type, types.CancellationTokenSource)
            || !LeaseShape.Fits(creation)
            || Place.IsInTransaction(creation, context.ContainingSymbol, types))
        {
            return;
        }

        var name = service?.Syntax.ToString()
            ?? Reach.Find(creation, context.ContainingSymbol, types.TimerService)?.Name;
        if (name is not null)
        {
            context.ReportDiagnostic(Finding(creation, name));
        }
    }
}
