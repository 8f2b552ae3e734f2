namespace ScalableTimers.Analyzers;

/// <summary>An analyzer for one rule. It costs nothing if the packages are not referenced.</summary>
public abstract class RuleAnalyzer : DiagnosticAnalyzer
{
    private readonly DiagnosticDescriptor _rule;

    private protected RuleAnalyzer(DiagnosticDescriptor rule)
    {
        _rule = rule;
        SupportedDiagnostics = ImmutableArray.Create(rule);
    }

    /// <inheritdoc/>
    public sealed override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; }

    /// <inheritdoc/>
    public sealed override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(start =>
        {
            var types = new KnownTypes(start.Compilation);
            if (types.TimerService is not null)
            {
                Register(start, types);
            }
        });
    }

    private protected abstract void Register(CompilationStartAnalysisContext context, KnownTypes types);

    private protected Diagnostic Finding(IOperation operation, params object[] arguments) =>
        Diagnostic.Create(_rule, operation.Syntax.GetLocation(), arguments);
}
