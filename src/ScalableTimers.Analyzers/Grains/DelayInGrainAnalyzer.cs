namespace ScalableTimers.Analyzers.Grains;

/// <summary>STM001: <c>Task.Delay</c> and <c>Thread.Sleep</c> in a grain.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class DelayInGrainAnalyzer() : RuleAnalyzer(Rules.DelayInGrain)
{
    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes types)
    {
        if (types.GrainDelay is not null)
        {
            context.RegisterOperationAction(operation => Analyze(operation, types), OperationKind.Invocation);
        }
    }

    private void Analyze(OperationAnalysisContext context, KnownTypes types)
    {
        if (Wait.Of(context.Operation, types) is not { } wait || !Place.IsInGrain(context.ContainingSymbol, types))
        {
            return;
        }

        var method = Place.IsDeactivation(context.ContainingSymbol)
            ? "DelayIgnoringDeactivation"
            : "Delay, which throws then";
        context.ReportDiagnostic(Finding(context.Operation, wait.Name, method));
    }
}
