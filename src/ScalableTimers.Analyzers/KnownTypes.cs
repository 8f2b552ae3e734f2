namespace ScalableTimers.Analyzers;

/// <summary>The types of a compilation that the rules need. A type that is not referenced is null.</summary>
internal sealed class KnownTypes(Compilation compilation)
{
    internal INamedTypeSymbol? GrainDelay { get; } = Find(compilation, "Orleans.Timers.Scalable.IGrainDelay");

    internal INamedTypeSymbol? GrainBase { get; } = Find(compilation, "Orleans.IGrainBase");

    internal INamedTypeSymbol? TimerService { get; } = Find(compilation, "ScalableTimers.TimerService");

    internal INamedTypeSymbol? CancellationToken { get; } = Find(compilation, "System.Threading.CancellationToken");

    internal INamedTypeSymbol? Task { get; } = Find(compilation, "System.Threading.Tasks.Task");

    internal INamedTypeSymbol? Thread { get; } = Find(compilation, "System.Threading.Thread");

    internal static bool Same(ISymbol? first, ISymbol? second) =>
        first is not null && SymbolEqualityComparer.Default.Equals(first, second);

    internal bool IsGrain(ITypeSymbol? type) =>
        type is { TypeKind: TypeKind.Class } && type.AllInterfaces.Any(implemented => Same(implemented, GrainBase));

    // Several references, for instance a project's own stubs, may declare a type of the same name. The first counts.
    private static INamedTypeSymbol? Find(Compilation compilation, string name) =>
        compilation.GetTypesByMetadataName(name).FirstOrDefault();
}
