using System.Collections.Concurrent;

namespace ScalableTimers.Analyzers.Grains;

/// <summary>The waits of a grain's class, and the class's own calls that lead to them.</summary>
internal sealed class GrainCode(INamedTypeSymbol type, KnownTypes types)
{
    private readonly ConcurrentBag<(Wait Wait, ISymbol Member)> _waits = [];
    private readonly ConcurrentBag<(ISymbol Callee, IOperation Call, ISymbol Member)> _calls = [];

    /// <summary>Notes an operation that waits or calls.</summary>
    internal void Add(IOperation operation, ISymbol member)
    {
        if (Wait.Of(operation, types) is { } wait)
        {
            if (Place.IsInGrain(member, types) && KnownTypes.Same(member.ContainingType, type))
            {
                _waits.Add((wait, member));
            }
        }
        else if (Callee(operation) is { OriginalDefinition: var callee }
            && KnownTypes.Same(callee.ContainingType, type))
        {
            _calls.Add((callee, operation, member));
        }
    }

    /// <summary>Finds the waits, each with all places from which the class reaches it.</summary>
    internal IEnumerable<(Wait Wait, Places Places)> Waits()
    {
        var calls = _calls.ToLookup(static call => call.Callee, SymbolEqualityComparer.Default);
        foreach (var (wait, member) in _waits)
        {
            var visited = new HashSet<ISymbol>(SymbolEqualityComparer.Default);
            yield return (wait, Reaching(wait.Operation, member, isCaught: !wait.Throws));

            Places Reaching(IOperation operation, ISymbol member, bool isCaught)
            {
                var places = Place.Around(operation, isCaught, types);
                var function = Place.Function(operation, member);
                return visited.Add(function)
                    ? calls[function].Aggregate(
                        places | Place.Of(function),
                        (all, call) => all | Reaching(call.Call, call.Member, isCaught: false))
                    : places;
            }
        }
    }

    private static IMethodSymbol? Callee(IOperation operation) => operation switch
    {
        IInvocationOperation call => call.TargetMethod,
        IMethodReferenceOperation reference => reference.Method,
        IPropertyReferenceOperation reference => reference.Property.GetMethod,
        _ => null,
    };
}
