using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace ScalableTimers.Analyzers;

/// <summary>Finds a value of a type by a name that code at a place can use.</summary>
internal static class Reach
{
    /// <summary>Finds a field, property, parameter or local; null if there is none.</summary>
    /// <param name="operation">The place.</param>
    /// <param name="member">The member that the place is in.</param>
    /// <param name="wanted">The type to find a value of.</param>
    internal static ISymbol? Find(IOperation operation, ISymbol member, INamedTypeSymbol? wanted) =>
        wanted is null || operation.SemanticModel is null ? null
            : FindLocal(operation, wanted)
                ?? (IsStaticPlace(operation, member) || IsConstruction(member) || IsFunctionOfStruct(operation, member)
                    ? null
                    : FindMember(member.ContainingType, wanted))
                ?? FindParameter(operation, member, wanted);

    /// <summary>Whether no instance can be reached.</summary>
    internal static bool IsStaticPlace(IOperation operation, ISymbol member)
    {
        for (var current = operation; current is not null; current = current.Parent)
        {
            if (current is IAnonymousFunctionOperation { Symbol.IsStatic: true }
                or ILocalFunctionOperation { Symbol.IsStatic: true })
            {
                return true;
            }
        }

        return member.IsStatic;
    }

    /// <summary>Whether code runs before the instance is complete, when fields may not be set.</summary>
    internal static bool IsConstruction(ISymbol member) =>
        member is IMethodSymbol { MethodKind: MethodKind.Constructor } or IFieldSymbol or IPropertySymbol;

    private static ISymbol? FindLocal(IOperation operation, INamedTypeSymbol wanted)
    {
        for (var current = operation; current is not null; current = current.Parent)
        {
            if (current is IAnonymousFunctionOperation { Symbol.IsStatic: true }
                or ILocalFunctionOperation { Symbol.IsStatic: true })
            {
                return null;
            }

            if (current is IBlockOperation block && block.Locals.FirstOrDefault(IsDeclaredBefore) is { } local)
            {
                return local;
            }
        }

        return null;

        bool IsDeclaredBefore(ILocalSymbol local) => KnownTypes.Same(local.Type, wanted)
            && local.DeclaringSyntaxReferences.FirstOrDefault() is { } declaration
            // A local of a pattern may have no value there.
            && declaration.GetSyntax() is VariableDeclaratorSyntax { Initializer: not null }
            && declaration.Span.End < operation.Syntax.SpanStart
            && IsVisible(local, operation);
    }

    // A parameter of a function may have the same name.
    private static bool IsVisible(ISymbol symbol, IOperation operation) =>
        operation.SemanticModel!.LookupSymbols(operation.Syntax.SpanStart, name: symbol.Name)
            .Any(found => KnownTypes.Same(found, symbol));

    // There the compiler allows no member, and no parameter of the struct.
    private static bool IsFunctionOfStruct(IOperation operation, ISymbol member) =>
        member.ContainingType is { IsValueType: true } && Ownership.IsInFunction(operation);

    private static ISymbol? FindMember(INamedTypeSymbol? type, INamedTypeSymbol wanted)
    {
        for (var current = type; current is not null; current = current.BaseType)
        {
            foreach (var member in current.GetMembers())
            {
                var found = member switch
                {
                    IFieldSymbol { IsImplicitlyDeclared: false } field => field.Type,
                    IPropertySymbol
                    {
                        IsIndexer: false, GetMethod: not null, ExplicitInterfaceImplementations.IsEmpty: true
                    } property => property.Type,
                    _ => null,
                };
                if (KnownTypes.Same(found, wanted) && (KnownTypes.Same(current, type) || IsVisibleBelow(member, type!)))
                {
                    return member;
                }
            }
        }

        return null;
    }

    private static bool IsVisibleBelow(ISymbol member, INamedTypeSymbol type) => member.DeclaredAccessibility switch
    {
        Accessibility.Public or Accessibility.Protected or Accessibility.ProtectedOrInternal => true,
        Accessibility.Internal or Accessibility.ProtectedAndInternal =>
            KnownTypes.Same(member.ContainingAssembly, type.ContainingAssembly),
        _ => false,
    };

    private static ISymbol? FindParameter(IOperation operation, ISymbol member, INamedTypeSymbol wanted)
    {
        var isInStaticFunction = !member.IsStatic && IsStaticPlace(operation, member);
        if (isInStaticFunction)
        {
            return null;
        }

        var own = member is IMethodSymbol method ? method.Parameters : ImmutableArray<IParameterSymbol>.Empty;
        var primary = member.IsStatic || IsFunctionOfStruct(operation, member) ? null
            : PrimaryConstructor(member.ContainingType);
        return own.Concat(primary?.Parameters ?? ImmutableArray<IParameterSymbol>.Empty)
            .FirstOrDefault(parameter => KnownTypes.Same(parameter.Type, wanted) && IsVisible(parameter, operation));
    }

    /// <summary>Finds the constructor that stands behind a class's name.</summary>
    internal static IMethodSymbol? PrimaryConstructor(INamedTypeSymbol? type) =>
        type?.InstanceConstructors.FirstOrDefault(static constructor =>
            constructor.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax()
                is TypeDeclarationSyntax);
}
