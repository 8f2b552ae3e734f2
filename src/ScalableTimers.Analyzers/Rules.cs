using System.Reflection;

namespace ScalableTimers.Analyzers;

/// <summary>The rules. Each has a section in docs/analyzers.md.</summary>
internal static class Rules
{
    internal static readonly DiagnosticDescriptor DelayInGrain = Warning(
        "STM001",
        "Wait in a grain with IGrainDelay",
        "'{0}' holds up the activation's deactivation: use IGrainDelay.{1}");

    internal static readonly DiagnosticDescriptor UndisposedRegistration = Warning(
        "STM002",
        "Dispose a registration with a shared timeout token",
        "The {0} with a token of 'GetTimeoutToken' is never disposed, so it stays in memory until the token is due");

    internal static readonly DiagnosticDescriptor AsyncVoidCallback = Warning(
        "STM003",
        "Do not pass an async void callback",
        "The callback is async void: nothing waits for it, and an exception in it ends the process. Await 'Delay' in "
            + "an async method instead, or start a task in the callback and handle its exceptions.");

    private static DiagnosticDescriptor Warning(string id, string title, string message) =>
        new(
            id,
            title,
            message,
            "Usage",
            DiagnosticSeverity.Warning,
            isEnabledByDefault: true,
            helpLinkUri: HelpLink(id));

    // The build writes the repository's address into the assembly.
    private static string HelpLink(string id)
    {
        var repository = typeof(Rules).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Single(static entry => entry.Key == "RepositoryUrl").Value;
        return $"{repository}/blob/HEAD/docs/analyzers.md#{id.ToLowerInvariant()}";
    }
}
