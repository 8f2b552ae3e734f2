namespace ScalableTimers.CodeFixes;

/// <summary>The names in a class's source, so that a new one hides none and is hidden by none.</summary>
internal sealed class UsedNames
{
    private readonly HashSet<string> _names;
    private readonly bool _hasUnderscores;

    internal UsedNames(INamedTypeSymbol type)
    {
        _names = new HashSet<string>(
            type.DeclaringSyntaxReferences
                .SelectMany(static reference => reference.GetSyntax().DescendantTokens())
                .Where(static token => token.IsKind(SyntaxKind.IdentifierToken))
                .Select(static token => token.ValueText),
            StringComparer.Ordinal);
        for (var current = type; current is not null; current = current.BaseType)
        {
            _names.UnionWith(current.GetMembers().Select(static member => member.Name));
        }

        var fields = type.GetMembers().OfType<IFieldSymbol>()
            .Where(static field => field is { IsImplicitlyDeclared: false, IsStatic: false, IsConst: false })
            .ToList();
        _hasUnderscores = fields.Count == 0 || fields.Any(static field => field.Name[0] == '_');
    }

    /// <summary>Makes a name for a parameter that the whole class may use.</summary>
    internal string? Parameter() => Unused("");

    /// <summary>Makes a name for a field in the style of the class's other fields.</summary>
    internal string? Field() => Unused(_hasUnderscores ? "_" : "");

    private string? Unused(string prefix) =>
        new[] { prefix + "delay", prefix + "grainDelay" }.FirstOrDefault(name => !_names.Contains(name));
}
