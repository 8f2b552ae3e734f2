namespace ScalableTimers.Analyzers.Grains;

/// <summary>STM001: <c>Task.Delay</c> and <c>Thread.Sleep</c> in a grain.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class DelayInGrainAnalyzer() : RuleAnalyzer(Rules.DelayInGrain)
{
    /// <summary>The property of a finding that names the method with which the fix waits, if there is a fix.</summary>
    internal const string Replacement = "Replacement";

    private protected override void Register(CompilationStartAnalysisContext context, KnownTypes types)
    {
        if (types.GrainDelay is not null)
        {
            context.RegisterSymbolStartAction(symbol => Register(symbol, types), SymbolKind.NamedType);
        }
    }

    private static void Register(SymbolStartAnalysisContext context, KnownTypes types)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        if (!types.IsGrain(type))
        {
            return;
        }

        var code = new GrainCode(type, types);
        context.RegisterOperationAction(
            operation => code.Add(operation.Operation, operation.ContainingSymbol),
            OperationKind.Invocation,
            OperationKind.MethodReference,
            OperationKind.PropertyReference);
        context.RegisterSymbolEndAction(end =>
        {
            foreach (var (wait, places) in code.Waits())
            {
                if (!places.HasFlag(Places.Detached))
                {
                    end.ReportDiagnostic(Finding(wait, places));
                }
            }
        });
    }

    private static Diagnostic Finding(Wait wait, Places places)
    {
        var (replacement, advice) = places switch
        {
            _ when places.HasFlag(Places.Deactivation) => ("DelayIgnoringDeactivation", "DelayIgnoringDeactivation"),
            _ when places.HasFlag(Places.Loop) =>
                (null, "TryDelay, and leave the loop when it returns false, since it would go on if Delay threw"),
            _ when places.HasFlag(Places.Unretried) => (
                "DelayIgnoringDeactivation",
                "DelayIgnoringDeactivation, since nobody would call again if Delay threw"),
            _ => ("Delay", "Delay, which throws then"),
        };
        return Diagnostic.Create(
            Rules.DelayInGrain,
            wait.Operation.Syntax.GetLocation(),
            ImmutableDictionary<string, string?>.Empty.Add(Replacement, replacement),
            wait.Name,
            advice);
    }
}
