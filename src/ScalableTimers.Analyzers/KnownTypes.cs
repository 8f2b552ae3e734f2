namespace ScalableTimers.Analyzers;

/// <summary>The types of a compilation that the rules are about. A type that is not referenced is null.</summary>
internal sealed class KnownTypes
{
    internal KnownTypes(Compilation compilation)
    {
        GrainDelay = Find("Orleans.Timers.Scalable.IGrainDelay");
        GrainBase = Find("Orleans.IGrainBase");
        TimerService = Find("ScalableTimers.TimerService");
        TimeoutLease = Find("ScalableTimers.TimeoutLease");
        CancellationToken = Find("System.Threading.CancellationToken");
        Task = Find("System.Threading.Tasks.Task");
        Thread = Find("System.Threading.Thread");

        // Several references may declare a type of one name, a project's own stubs for instance. Then the first counts.
        INamedTypeSymbol? Find(string name) => compilation.GetTypesByMetadataName(name).FirstOrDefault();
    }

    internal INamedTypeSymbol? GrainDelay { get; }

    internal INamedTypeSymbol? GrainBase { get; }

    internal INamedTypeSymbol? TimerService { get; }

    internal INamedTypeSymbol? TimeoutLease { get; }

    internal INamedTypeSymbol? CancellationToken { get; }

    internal INamedTypeSymbol? Task { get; }

    internal INamedTypeSymbol? Thread { get; }

    internal static bool Same(ISymbol? first, ISymbol? second) =>
        first is not null && SymbolEqualityComparer.Default.Equals(first, second);

    internal bool IsGrain(ITypeSymbol? type) =>
        type is { TypeKind: TypeKind.Class } && type.AllInterfaces.Any(implemented => Same(implemented, GrainBase));
}
