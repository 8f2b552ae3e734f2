namespace ScalableTimers.Analyzers.Callbacks;

/// <summary>STM003: a callback for the packages that is <c>async void</c>.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class AsyncVoidCallbackAnalyzer() : RuleAnalyzer(Rules.AsyncVoidCallback)
{
    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes types) =>
        context.RegisterOperationAction(operation => Analyze(operation, types), OperationKind.DelegateCreation);

    private void Analyze(OperationAnalysisContext context, KnownTypes types)
    {
        var callback = ((IDelegateCreationOperation)context.Operation).Target;
        if (IsAsyncVoid(callback)
            && Surroundings.Outermost(context.Operation).Parent is IArgumentOperation argument
            && (IsOfPackages(argument.Parameter) || IsForTimeProvider(argument, types)))
        {
            context.ReportDiagnostic(Finding(callback));
        }
    }

    private static bool IsAsyncVoid(IOperation callback) => callback switch
    {
        IAnonymousFunctionOperation function => function.Symbol is { IsAsync: true, ReturnsVoid: true },
        IMethodReferenceOperation reference => reference.Method is { IsAsync: true, ReturnsVoid: true },
        _ => false,
    };

    /// <summary>Whether a parameter is declared in a namespace of the packages, or in one inside it.</summary>
    private static bool IsOfPackages(IParameterSymbol? parameter)
    {
        var current = parameter?.ContainingNamespace;
        while (current is not null && current.ToDisplayString() is not ("ScalableTimers" or "Orleans.Timers.Scalable"))
        {
            current = current.ContainingNamespace;
        }

        return current is not null;
    }

    /// <summary>Whether the call is <c>timers.TimeProvider.CreateTimer</c>, whose method is .NET's.</summary>
    private static bool IsForTimeProvider(IArgumentOperation argument, KnownTypes types) =>
        argument.Parent is IInvocationOperation
        {
            TargetMethod.Name: "CreateTimer",
            Instance: IPropertyReferenceOperation { Property: { Name: "TimeProvider" } property },
        }
        && KnownTypes.Same(property.ContainingType, types.TimerService);
}
