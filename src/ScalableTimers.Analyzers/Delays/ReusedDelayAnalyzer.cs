namespace ScalableTimers.Analyzers.Delays;

/// <summary>STM008: a delay that is awaited twice, stored, or blocked on.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class ReusedDelayAnalyzer : RuleAnalyzer
{
    /// <summary>Creates the analyzer.</summary>
    public ReusedDelayAnalyzer() : base(Rules.ReusedDelay)
    {
    }

    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes types)
    {
        context.RegisterOperationAction(operation => AnalyzeCall(operation, types), OperationKind.Invocation);
        context.RegisterOperationBlockAction(block => AnalyzeLocals(block, types));
    }

    private void AnalyzeCall(OperationAnalysisContext context, KnownTypes types)
    {
        if (types.IsOurDelay(context.Operation) && Misuse(Ownership.Outermost(context.Operation)) is { } misuse)
        {
            var name = ((IInvocationOperation)context.Operation).TargetMethod.Name;
            context.ReportDiagnostic(Finding(context.Operation, name, misuse));
        }
    }

    private static string? Misuse(IOperation delay) => delay.Parent switch
    {
        ISimpleAssignmentOperation { Target: IMemberReferenceOperation or IArrayElementReferenceOperation } =>
            "is stored",
        IFieldInitializerOperation or IPropertyInitializerOperation => "is stored",
        IArrayInitializerOperation { IsImplicit: false } => "is stored",
        ICollectionExpressionOperation { Type: IArrayTypeSymbol } => "is stored",
        _ when DelayUse.IsBlocking(delay) => "is blocked on",
        _ => null,
    };

    private void AnalyzeLocals(OperationBlockAnalysisContext context, KnownTypes types)
    {
        foreach (var block in context.OperationBlocks)
        {
            if (!block.Descendants().Any(operation => types.IsOurDelay(operation)
                && Ownership.Outermost(operation).Parent
                    is IVariableInitializerOperation or ISimpleAssignmentOperation))
            {
                continue;
            }

            foreach (var use in DelayUse.Misuses(context.GetControlFlowGraph(block), types))
            {
                context.ReportDiagnostic(Finding(use.Operation, use.Name, use.Misuse));
            }
        }
    }
}
