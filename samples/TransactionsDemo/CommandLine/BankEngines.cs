using TransactionsDemo.Bank;
using TransactionsDemo.Embedded;
using TransactionsDemo.Timers;

namespace TransactionsDemo.CommandLine;

/// <summary>What this build can run banks with.</summary>
internal static class BankEngines
{
    /// <summary>What is typed for every engine, or every kind of timers.</summary>
    public const string AllOfThem = "all";

#if ORLEANS
    /// <summary>What to say where an engine is not known.</summary>
    public const string Hint = "";

    /// <summary>What to say of options whose default is another in the comparison that is made by default.</summary>
    public const string ComparisonHint = " With neither --engine nor --timers: 0.";

    /// <summary>The first is the usual one.</summary>
    public static readonly IBankEngine[] All = [new OnOrleans.OrleansEngine(), new EmbeddedEngine()];
#else
    /// <summary>What to say where an engine is not known.</summary>
    public const string Hint = " (this build is without Orleans)";

    /// <summary>Nothing: there is no other comparison.</summary>
    public const string ComparisonHint = "";

    /// <summary>There is only one.</summary>
    public static readonly IBankEngine[] All = [new EmbeddedEngine()];
#endif

    /// <summary>What engines and timers that were typed come to; none if they do not go together.</summary>
    public static List<(IBankEngine Engine, TimerKind Timers)> Cases(string engine, string timers) =>
        [.. from candidate in All
            where engine == AllOfThem || engine == candidate.Name
            from kind in candidate.TimerKinds
            where timers == AllOfThem || timers == kind.ToName()
            select (candidate, kind)];

    public static string Defaults(Func<IBankEngine, int> valueOf) =>
        $"Default: {string.Join(", ", All.Select(engine => $"{valueOf(engine)} with {engine.Name}"))}.";
}
