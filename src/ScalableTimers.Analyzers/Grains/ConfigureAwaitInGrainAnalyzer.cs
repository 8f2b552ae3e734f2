namespace ScalableTimers.Analyzers.Grains;

/// <summary>STM013: <c>ConfigureAwait(false)</c> after a delay in a grain.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class ConfigureAwaitInGrainAnalyzer : RuleAnalyzer
{
    /// <summary>Creates the analyzer.</summary>
    public ConfigureAwaitInGrainAnalyzer() : base(Rules.ConfigureAwaitInGrain)
    {
    }

    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes types) =>
        context.RegisterOperationAction(operation => Analyze(operation, types), OperationKind.Invocation);

    private void Analyze(OperationAnalysisContext context, KnownTypes types)
    {
        var call = (IInvocationOperation)context.Operation;
        if (call.TargetMethod.Name != "ConfigureAwait"
            || call.Arguments is not [{ Value.ConstantValue: { HasValue: true, Value: false } }]
            || !types.IsOurDelay(WithoutAsTask(call.Instance))
            || !Place.IsInGrain(context.ContainingSymbol, types)
            || Place.IsOnPool(call))
        {
            return;
        }

        context.ReportDiagnostic(Finding(call));
    }

    private static IOperation? WithoutAsTask(IOperation? operation) =>
        operation is IInvocationOperation { TargetMethod.Name: "AsTask" } conversion ? conversion.Instance : operation;
}
