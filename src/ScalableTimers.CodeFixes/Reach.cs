namespace ScalableTimers.CodeFixes;

/// <summary>Finds an <c>IGrainDelay</c> that the code of a finding can use.</summary>
internal static class Reach
{
    /// <summary>Finds a field or property of the class or its bases, or null.</summary>
    internal static string? Member(Finding finding)
    {
        for (var type = finding.Type; type is not null; type = type.BaseType)
        {
            var found = type.GetMembers().FirstOrDefault(member =>
                member is { IsStatic: false, CanBeReferencedByName: true }
                    && IsWanted(TypeOf(member), finding)
                    && finding.Model.Compilation.IsSymbolAccessibleWithin(member, finding.Type));
            if (found is not null)
            {
                // A local may hide a field with the same name.
                return IsVisible(found, finding) ? found.Name : "this." + found.Name;
            }
        }

        return null;
    }

    /// <summary>Finds a parameter of a constructor, primary or not, or null.</summary>
    internal static IParameterSymbol? Parameter(Finding finding) =>
        finding.Type.InstanceConstructors
            .SelectMany(static constructor => constructor.Parameters)
            .FirstOrDefault(parameter => IsWanted(parameter.Type, finding));

    internal static bool IsVisible(ISymbol symbol, Finding finding) =>
        finding.Model.LookupSymbols(finding.Node.SpanStart, name: symbol.Name)
            .Any(found => KnownTypes.Same(found, symbol));

    private static ITypeSymbol? TypeOf(ISymbol member) => member switch
    {
        IFieldSymbol field => field.Type,
        IPropertySymbol { GetMethod: not null } property => property.Type,
        _ => null,
    };

    private static bool IsWanted(ITypeSymbol? type, Finding finding) => KnownTypes.Same(type, finding.Types.GrainDelay);
}
