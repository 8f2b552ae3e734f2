namespace ScalableTimers.CodeFixes;

/// <summary>The changes of one fix, or of all fixes together.</summary>
internal sealed class SolutionEdit
{
    private readonly SolutionEditor _editor;
    private readonly Dictionary<string, string?> _injected = new(StringComparer.Ordinal);

    internal SolutionEdit(Solution solution, CancellationToken cancellationToken)
    {
        Solution = solution;
        CancellationToken = cancellationToken;
        _editor = new SolutionEditor(solution);
    }

    /// <summary>The solution before the changes.</summary>
    internal Solution Solution { get; }

    internal CancellationToken CancellationToken { get; }

    internal async Task<SyntaxEditor> EditorAsync(Document document) =>
        await _editor.GetDocumentEditorAsync(document.Id, CancellationToken).ConfigureAwait(false);

    internal Solution Apply() => _editor.GetChangedSolution();

    /// <summary>Finds or makes a name by which the code of a finding reaches a service.</summary>
    /// <param name="finding">The finding.</param>
    /// <param name="service">The type of the service.</param>
    /// <param name="name">How a parameter for it is called.</param>
    /// <returns>The name; null if there is none and none can be made.</returns>
    internal async Task<string?> ReachAsync(Finding finding, INamedTypeSymbol? service, string name)
    {
        if (service is null)
        {
            return null;
        }

        if (Reach.Find(finding.Operation, finding.Member, service) is { } existing)
        {
            return Qualify(existing, finding);
        }

        if (Reach.IsStaticPlace(finding.Operation, finding.Member)
            || Reach.IsConstruction(finding.Member)
            || !finding.Types.IsGrain(finding.Member.ContainingType)
            || IsInjected(finding.Member.ContainingType, service))
        {
            return null;
        }

        // A class is asked once, and gets one parameter for all findings in it.
        var type = finding.Member.ContainingType;
        var key = $"{finding.Document.Project.Id.Id}|{type.ToDisplayString()}|{service.Name}";
        if (!_injected.TryGetValue(key, out var injected))
        {
            injected = await new Injection(this, type, service, name).AddAsync().ConfigureAwait(false);
            _injected.Add(key, injected);
        }

        return injected;
    }

    // Then its name is hidden at the place, and a second parameter would be no better.
    private static bool IsInjected(INamedTypeSymbol type, INamedTypeSymbol service) =>
        Reach.PrimaryConstructor(type)?.Parameters.Any(parameter => KnownTypes.Same(parameter.Type, service)) == true;

    // A local may hide a field of its name.
    private static string Qualify(ISymbol symbol, Finding finding)
    {
        var isHidden = symbol is IFieldSymbol or IPropertySymbol && !finding.Model
            .LookupSymbols(finding.Node.SpanStart, name: symbol.Name)
            .Any(found => KnownTypes.Same(found, symbol));
        return isHidden ? (symbol.IsStatic ? symbol.ContainingType.Name : "this") + "." + symbol.Name : symbol.Name;
    }
}
