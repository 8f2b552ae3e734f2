namespace ScalableTimers.CodeFixes;

/// <summary>Finds the <c>IGrainDelay</c> that code at a place can use.</summary>
internal static class Reach
{
    /// <summary>Whether code has an instance, and one that is complete: fields may not be set before.</summary>
    internal static bool HasInstance(Finding finding)
    {
        for (var current = finding.Operation; current is not null; current = current.Parent)
        {
            if (current is IAnonymousFunctionOperation { Symbol.IsStatic: true }
                or ILocalFunctionOperation { Symbol.IsStatic: true })
            {
                return false;
            }
        }

        return finding.Member is not (IMethodSymbol { MethodKind: MethodKind.Constructor } or IFieldSymbol
            or IPropertySymbol);
    }

    /// <summary>Finds the name of a field, property or parameter; null if there is none.</summary>
    internal static string? Find(Finding finding)
    {
        if (FindMember(finding) is { } member)
        {
            // A local may hide a field of its name.
            return IsVisible(member, finding) ? member.Name
                : (member.IsStatic ? member.ContainingType.Name : "this") + "." + member.Name;
        }

        var own = (finding.Member as IMethodSymbol)?.Parameters ?? ImmutableArray<IParameterSymbol>.Empty;
        return own.Concat(ParametersOfClass(finding))
            .FirstOrDefault(parameter => IsWanted(parameter.Type, finding) && IsVisible(parameter, finding))?.Name;
    }

    /// <summary>Whether a primary constructor has one, which another name may hide at the place.</summary>
    internal static bool IsParameterOfClass(Finding finding) =>
        ParametersOfClass(finding).Any(parameter => IsWanted(parameter.Type, finding));

    private static IEnumerable<IParameterSymbol> ParametersOfClass(Finding finding) =>
        finding.Member.ContainingType.InstanceConstructors
            .Where(static constructor =>
                constructor.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() is TypeDeclarationSyntax)
            .SelectMany(static constructor => constructor.Parameters);

    private static ISymbol? FindMember(Finding finding)
    {
        var type = finding.Member.ContainingType;
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
                if (IsWanted(found, finding) && finding.Model.Compilation.IsSymbolAccessibleWithin(member, type))
                {
                    return member;
                }
            }
        }

        return null;
    }

    private static bool IsWanted(ITypeSymbol? type, Finding finding) => KnownTypes.Same(type, finding.Types.GrainDelay);

    private static bool IsVisible(ISymbol symbol, Finding finding) =>
        finding.Model.LookupSymbols(finding.Node.SpanStart, name: symbol.Name)
            .Any(found => KnownTypes.Same(found, symbol));
}
