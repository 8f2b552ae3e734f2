using System.Collections.Concurrent;

namespace ScalableTimers.Analyzers;

/// <summary>The types of a compilation that the rules are about. A type that is not referenced is null.</summary>
internal sealed class KnownTypes
{
    private readonly Compilation _compilation;
    private readonly ConcurrentDictionary<string, INamedTypeSymbol?> _types = new(StringComparer.Ordinal);

    internal KnownTypes(Compilation compilation)
    {
        _compilation = compilation;
    }

    internal bool HasGrainDelay => GrainDelay is not null;

    internal bool HasTimerService => TimerService is not null;

    internal INamedTypeSymbol? GrainDelay => Find("Orleans.Timers.Scalable.IGrainDelay");

    internal INamedTypeSymbol? GrainPeriodicTimer => Find("Orleans.Timers.Scalable.IGrainPeriodicTimer");

    internal INamedTypeSymbol? TransactionWithDeadline =>
        Find("Orleans.Timers.Scalable.TransactionWithDeadlineAttribute");

    internal INamedTypeSymbol? TimerService => Find("ScalableTimers.TimerService");

    internal INamedTypeSymbol? TimeoutLease => Find("ScalableTimers.TimeoutLease");

    internal INamedTypeSymbol? Grain => Find("Orleans.Grain");

    internal INamedTypeSymbol? GrainBase => Find("Orleans.IGrainBase");

    internal INamedTypeSymbol? Addressable => Find("Orleans.Runtime.IAddressable");

    internal INamedTypeSymbol? Transaction => Find("Orleans.TransactionAttribute");

    internal INamedTypeSymbol? TransactionClient => Find("Orleans.ITransactionClient");

    internal INamedTypeSymbol? TransactionalState => Find("Orleans.Transactions.Abstractions.ITransactionalState`1");

    internal INamedTypeSymbol? CancellationTokenSource => Find("System.Threading.CancellationTokenSource");

    internal INamedTypeSymbol? CancellationToken => Find("System.Threading.CancellationToken");

    internal INamedTypeSymbol? Task => Find("System.Threading.Tasks.Task");

    internal INamedTypeSymbol? Thread => Find("System.Threading.Thread");

    internal INamedTypeSymbol? PeriodicTimer => Find("System.Threading.PeriodicTimer");

    internal INamedTypeSymbol? ThreadingTimer => Find("System.Threading.Timer");

    internal INamedTypeSymbol? ComponentTimer => Find("System.Timers.Timer");

    internal INamedTypeSymbol? OperationCanceledException => Find("System.OperationCanceledException");

    internal INamedTypeSymbol? TaskCanceledException => Find("System.Threading.Tasks.TaskCanceledException");

    internal static bool Same(ISymbol? first, ISymbol? second) =>
        first is not null && SymbolEqualityComparer.Default.Equals(first, second);

    /// <summary>Whether a type is another one, derives from it or implements it.</summary>
    internal static bool Is(ITypeSymbol? type, INamedTypeSymbol? other)
    {
        if (type is null || other is null)
        {
            return false;
        }

        if (other.TypeKind == TypeKind.Interface)
        {
            return Same(type.OriginalDefinition, other)
                || type.AllInterfaces.Any(implemented => Same(implemented.OriginalDefinition, other));
        }

        for (var current = type; current is not null; current = current.BaseType)
        {
            if (Same(current.OriginalDefinition, other))
            {
                return true;
            }
        }

        return type is ITypeParameterSymbol parameter
            && parameter.ConstraintTypes.Any(constraint => Is(constraint, other));
    }

    internal bool IsGrain(ITypeSymbol? type) =>
        type is { TypeKind: TypeKind.Class } && (Is(type, Grain) || Is(type, GrainBase));

    /// <summary>Whether a task of an invocation may be awaited only once.</summary>
    internal bool IsOurDelay(IOperation? operation) => operation is IInvocationOperation { TargetMethod: var method }
        && method.Name switch
        {
            "Delay" => Same(method.ContainingType, TimerService) || Same(method.ContainingType, GrainDelay),
            "TryDelay" => Same(method.ContainingType, TimerService),
            "DelayIgnoringDeactivation" => Same(method.ContainingType, GrainDelay),
            "WaitForNextTickAsync" => Same(method.ContainingType, GrainPeriodicTimer),
            _ => false,
        };

    // Several references may declare a type of one name, a project's own stubs for instance. Then the first counts.
    private INamedTypeSymbol? Find(string name) =>
        _types.GetOrAdd(name, missing => _compilation.GetTypesByMetadataName(missing).FirstOrDefault());
}
