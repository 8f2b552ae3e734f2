namespace ScalableTimers.Analyzers;

/// <summary>Which methods run in a transaction: those of a grain interface that say so.</summary>
internal static class TransactionMethods
{
    internal static bool Runs(IMethodSymbol method, KnownTypes types)
    {
        var type = method.ContainingType;
        if (type is not { TypeKind: TypeKind.Class } || method.MethodKind
            is not (MethodKind.Ordinary or MethodKind.ExplicitInterfaceImplementation))
        {
            return false;
        }

        foreach (var declared in type.AllInterfaces.SelectMany(static type => type.GetMembers()))
        {
            if (declared.GetAttributes().Any(attribute => Requires(attribute, types))
                && Implements(method, type.FindImplementationForInterfaceMember(declared)))
            {
                return true;
            }
        }

        return false;
    }

    private static bool Implements(IMethodSymbol method, ISymbol? implementation)
    {
        for (var current = method; current is not null; current = current.OverriddenMethod)
        {
            if (KnownTypes.Same(current.OriginalDefinition, implementation?.OriginalDefinition))
            {
                return true;
            }
        }

        return false;
    }

    // TransactionOption has Suppress = 0 and NotAllowed = 5, its aliases Suppress = 4 and Never = 5.
    private static bool Requires(AttributeData attribute, KnownTypes types)
    {
        if (!KnownTypes.Same(attribute.AttributeClass, types.Transaction)
            && !KnownTypes.Same(attribute.AttributeClass, types.TransactionWithDeadline))
        {
            return false;
        }

        return attribute.ConstructorArguments.FirstOrDefault() is { Value: int option, Type.Name: var name }
            && (name == "TransactionOptionAlias" ? option is not (4 or 5) : option is not (0 or 5));
    }
}
