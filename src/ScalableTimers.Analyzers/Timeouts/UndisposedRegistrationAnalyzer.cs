namespace ScalableTimers.Analyzers.Timeouts;

/// <summary>STM002: a registration with a shared timeout token that is never disposed.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class UndisposedRegistrationAnalyzer() : RuleAnalyzer(Rules.UndisposedRegistration)
{
    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes types) =>
        context.RegisterOperationAction(operation => Analyze(operation, types), OperationKind.Invocation);

    private void Analyze(OperationAnalysisContext context, KnownTypes types)
    {
        var call = (IInvocationOperation)context.Operation;
        var what = call.TargetMethod.Name switch
        {
            "Register" or "UnsafeRegister"
                when KnownTypes.Same(call.TargetMethod.ContainingType, types.CancellationToken)
                    && IsShared(call.Instance, types) => "registration",
            "CreateLinkedTokenSource" when Tokens(call).Any(token => IsShared(token, types)) => "linked source",
            _ => null,
        };
        if (what is not null && Ownership.IsNeverDisposed(call))
        {
            context.ReportDiagnostic(Finding(call, what));
        }
    }

    /// <summary>Finds the arguments, including those that the compiler puts into an array or a span.</summary>
    private static IEnumerable<IOperation> Tokens(IInvocationOperation call) =>
        call.Arguments.SelectMany(static argument => argument.Value switch
        {
            IArrayCreationOperation { Initializer: { } elements } => elements.ElementValues,
            ICollectionExpressionOperation elements => elements.Elements,
            var value => ImmutableArray.Create(value),
        });

    /// <summary>Whether a token comes from <c>GetTimeoutToken</c>, directly or through a local.</summary>
    private static bool IsShared(IOperation? token, KnownTypes types) => token switch
    {
        IInvocationOperation { TargetMethod: var method } => method.Name == "GetTimeoutToken"
            && KnownTypes.Same(method.ContainingType, types.TimerService),
        ILocalReferenceOperation local => InitialValue(local) is IInvocationOperation value && IsShared(value, types),
        _ => false,
    };

    private static IOperation? InitialValue(ILocalReferenceOperation reference) =>
        reference.Local.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() is { } declaration
            ? (reference.SemanticModel?.GetOperation(declaration) as IVariableDeclaratorOperation)
                ?.GetVariableInitializer()?.Value
            : null;
}
