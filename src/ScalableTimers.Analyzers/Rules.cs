namespace ScalableTimers.Analyzers;

/// <summary>The rules. Each has a page in docs/analyzers.</summary>
internal static class Rules
{
    private const string Usage = "Usage";
    private const string Performance = "Performance";

    internal static readonly DiagnosticDescriptor DelayInGrain = new(
        "STM001",
        "Wait in a grain by IGrainDelay",
        "'{0}' goes on while the activation deactivates, and holds that up: use IGrainDelay.{1}",
        Usage,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page("STM001"));

    internal static readonly DiagnosticDescriptor PeriodicTimerInGrain = new(
        "STM002",
        "Repeat in a grain by IGrainDelay.CreatePeriodicTimer",
        "A PeriodicTimer ticks on after the activation has deactivated: use IGrainDelay.CreatePeriodicTimer",
        Usage,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page("STM002"));

    internal static readonly DiagnosticDescriptor TimerInGrain = new(
        "STM003",
        "Use no timer in a grain that calls back outside of it",
        "'{0}' calls back outside of the grain's turns, and after its deactivation: use "
            + "IGrainDelay.CreatePeriodicTimer or RegisterGrainTimer",
        Usage,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page("STM003"));

    internal static readonly DiagnosticDescriptor DelayInTransaction = new(
        "STM004",
        "Wait in a transaction by scalable timers",
        "'{0}' waits by .NET's timers in a transaction: use {1}",
        Performance,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page("STM004"));

    internal static readonly DiagnosticDescriptor TimeoutInTransaction = new(
        "STM005",
        "Limit time in a transaction by scalable timers",
        "'{0}' starts one of .NET's timers in a transaction: use {1}, or give the transaction a deadline",
        Performance,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page("STM005"));

    internal static readonly DiagnosticDescriptor TimeoutSource = new(
        "STM006",
        "Rent a timeout",
        "A source and a timer are created for one operation: '{0}.RentTimeout' allocates neither",
        Performance,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        helpLinkUri: Page("STM006"));

    internal static readonly DiagnosticDescriptor SwallowedDelay = new(
        "STM007",
        "Use TryDelay where the cancellation is swallowed",
        "The exception of a cancelled delay is thrown only to be swallowed: '{0}.TryDelay' returns false instead",
        Performance,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        helpLinkUri: Page("STM007"));

    internal static readonly DiagnosticDescriptor ReusedDelay = new(
        "STM008",
        "Await a delay once",
        "The ValueTask of '{0}' {1}: its source is reused after the first await",
        Usage,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page("STM008"));

    internal static readonly DiagnosticDescriptor UndisposedLease = new(
        "STM009",
        "Dispose a lease",
        "The lease of 'RentTimeout' is never disposed, so its source is not reused and its timer goes on",
        Usage,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page("STM009"));

    internal static readonly DiagnosticDescriptor OutlivedLease = new(
        "STM010",
        "Do not use a lease's token after the lease",
        "The token {0}, but its lease ends with this block: afterwards the token may belong to another lease",
        Usage,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page("STM010"));

    internal static readonly DiagnosticDescriptor UndisposedRegistration = new(
        "STM011",
        "Dispose a registration with a shared timeout token",
        "The {0} with a token of 'GetTimeoutToken' is never disposed, so it stays in memory until the token's time"
            + " comes",
        Usage,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page("STM011"));

    internal static readonly DiagnosticDescriptor SharedGrainDelay = new(
        "STM012",
        "Keep an IGrainDelay in its grain",
        "The IGrainDelay of this activation is {0}: its delays end with this activation, not with the other's",
        Usage,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page("STM012"));

    internal static readonly DiagnosticDescriptor ConfigureAwaitInGrain = new(
        "STM013",
        "Resume in the grain after a delay",
        "After 'ConfigureAwait(false)' the code goes on outside of the grain's turns",
        Usage,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page("STM013"));

    private static string Page(string id) => $"docs/analyzers/{id}.md";
}
