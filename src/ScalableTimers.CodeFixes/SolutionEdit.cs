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

    /// <summary>Finds or makes a name through which the code of a finding reaches an <c>IGrainDelay</c>.</summary>
    /// <returns>The name, or null if none exists or can be made.</returns>
    internal async Task<string?> ReachAsync(Finding finding)
    {
        if (Reach.Member(finding) is { } member)
        {
            return member;
        }

        // If the parameter is hidden, or the class does not keep it, a second one would be no better.
        if (Reach.Parameter(finding) is { } parameter)
        {
            return Reach.IsVisible(parameter, finding) ? parameter.Name : null;
        }

        // Each class is tried once, and gets one parameter for all findings in it.
        var type = finding.Type;
        var key = $"{finding.Document.Project.Id.Id}|{type.ToDisplayString()}";
        if (!_injected.TryGetValue(key, out var injected))
        {
            injected = await new Injection(this, type, finding.Types.GrainDelay!).AddAsync().ConfigureAwait(false);
            _injected.Add(key, injected);
        }

        return injected;
    }
}
