namespace ScalableTimers.Analyzers.Grains;

/// <summary>STM012: a grain's <c>IGrainDelay</c> that gets to another grain, or to all.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class SharedGrainDelayAnalyzer : RuleAnalyzer
{
    /// <summary>Creates the analyzer.</summary>
    public SharedGrainDelayAnalyzer() : base(Rules.SharedGrainDelay)
    {
    }

    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes types)
    {
        if (types.HasGrainDelay)
        {
            context.RegisterOperationAction(operation => AnalyzeArgument(operation, types), OperationKind.Argument);
            context.RegisterOperationAction(
                operation => AnalyzeAssignment(operation, types),
                OperationKind.SimpleAssignment,
                OperationKind.CoalesceAssignment);
        }
    }

    private void AnalyzeArgument(OperationAnalysisContext context, KnownTypes types)
    {
        var argument = (IArgumentOperation)context.Operation;
        if (!IsGrainDelay(argument.Value, types))
        {
            return;
        }

        var isHandedOn = argument.Parent switch
        {
            IInvocationOperation { TargetMethod.IsStatic: false } call =>
                !IsThis(call.Instance) && IsAnotherGrain(call.Instance?.Type, types),
            IObjectCreationOperation creation => types.IsGrain(creation.Type),
            _ => false,
        };
        if (isHandedOn)
        {
            context.ReportDiagnostic(Finding(argument, "handed to another grain"));
        }
    }

    private void AnalyzeAssignment(OperationAnalysisContext context, KnownTypes types)
    {
        var assignment = (IAssignmentOperation)context.Operation;
        if (assignment.Target is not IMemberReferenceOperation target || !IsGrainDelay(assignment.Value, types))
        {
            return;
        }

        if (target.Member.IsStatic)
        {
            context.ReportDiagnostic(Finding(assignment, "kept in a static member"));
        }
        else if (!IsThis(target.Instance) && IsAnotherGrain(target.Instance?.Type, types))
        {
            context.ReportDiagnostic(Finding(assignment, "handed to another grain"));
        }
    }

    private static bool IsGrainDelay(IOperation value, KnownTypes types)
    {
        while (value is IConversionOperation { IsImplicit: true } conversion)
        {
            value = conversion.Operand;
        }

        return KnownTypes.Same(value.Type, types.GrainDelay)
            && value is not (ILiteralOperation or IDefaultValueOperation);
    }

    private static bool IsThis(IOperation? instance)
    {
        while (instance is IConversionOperation conversion)
        {
            instance = conversion.Operand;
        }

        return instance is null or IInstanceReferenceOperation;
    }

    private static bool IsAnotherGrain(ITypeSymbol? type, KnownTypes types) =>
        types.IsGrain(type) || KnownTypes.Is(type, types.Addressable);
}
