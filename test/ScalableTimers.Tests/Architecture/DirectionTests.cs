namespace ScalableTimers.Tests.Architecture;

/// <summary>
/// The folders of each library name one another in one direction, and those of the core also use one another so.
/// Comments do not count.
/// </summary>
public class DirectionTests
{
    // Each row is a folder, and the folders whose types it may name besides its own and those of the root. The root is
    // the public API and may name all folders.
    private static readonly Rule[] s_core =
    [
        new("Wheel", [], []),
        new("Clock", ["Wheel"], []),
        new("Firing", ["Clock", "Wheel"], ["CallbackExceptions"]),
        new("Queues", ["Clock", "Wheel", "Firing"], ["PendingTimerKind"]),
        new("Timers", ["Clock", "Wheel", "Firing", "Queues"], ["PendingTimerKind"]),
        new("Driving", ["Clock", "Wheel", "Firing", "Queues"], ["TimerServiceDriver"]),
        new("Timeouts", ["Clock", "Firing", "Queues", "Timers"], []),
        new("Metrics", [], []),
    ];

    // Hosting is what AddScalableTimers registers. The folders missing from its row are features that need a call of
    // their own. Nothing names them, so deleting such a folder deletes the feature.
    private static readonly Rule[] s_plugin =
    [
        new("Registration", [], []),
        new("Clocks", ["Registration"], []),
        new("Grains", ["Registration"], []),
        new("Messaging", ["Registration", "Clocks"], []),
        new("Calls", ["Registration", "Messaging"], []),
        new("Hosting", ["Registration", "Clocks", "Grains", "Messaging", "Calls"], []),
        new("Deadlines", ["Registration", "Clocks", "Grains", "Messaging", "Calls", "Hosting"], []),
    ];

    private static readonly Rule[] s_transactions =
    [
        new("Waits", [], []),
        new("Phases", ["ProtocolFixes", "Waits"], []),
        new("ProtocolFixes", [], []),
    ];

    public static TheoryData<string> Libraries { get; } =
        ["ScalableTimers", "Orleans.Timers.Scalable", "Orleans.Timers.Scalable.Transactions"];

    [Theory]
    [MemberData(nameof(Libraries))]
    public void EveryFolder_HasARule(string library) =>
        Assert.Equal(
            Rules(library).Select(static rule => rule.Folder).Order(StringComparer.Ordinal),
            Source.In("src", library)
                .Select(static source => source.Folder)
                .Where(static folder => folder.Length > 0)
                .Distinct()
                .Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(Libraries))]
    public void Rules_HaveNoCycle(string library)
    {
        // A folder is above the folders that it names. If there is a cycle, no folder in it names only folders below
        // it.
        var rules = Rules(library);
        var below = new HashSet<string>();
        while (rules.FirstOrDefault(rule => !below.Contains(rule.Folder) && rule.Folders.All(below.Contains))
            is { } next)
        {
            below.Add(next.Folder);
        }

        Assert.Equal(rules.Length, below.Count);
    }

    // Seen to fail with a field of type CallDeadlines, of Deadlines, in Hosting.
    [Theory]
    [MemberData(nameof(Libraries))]
    public void Folders_ReferOnlyToLowerLayers(string library)
    {
        var sources = Source.In("src", library).ToList();
        var types = sources
            .SelectMany(static source => source.DeclaredTypes.Select(type => (Type: type, source.Folder)))
            .Distinct()
            .ToLookup(static pair => pair.Type, static pair => pair.Folder, StringComparer.Ordinal);
        var found = from source in sources
                    from rule in Rules(library)
                    where rule.Folder == source.Folder
                    from word in source.Words
                    from folder in types[word]
                    where folder != rule.Folder
                    let isAllowed = folder.Length == 0 ? rule.OfTheRoot.Contains(word) : rule.Folders.Contains(folder)
                    where !isAllowed
                    select $"{source.Name} names {word} of {(folder.Length == 0 ? "the root" : folder)}";

        Assert.Empty(found);
    }

    // Seen to fail, alone, with queues.Dispatcher.Fired in TimeoutTokens, whose row did not name Firing then.
    [Fact]
    public void FoldersOfTheCore_UseMembersOnlyOfLowerLayers()
    {
        var core = typeof(TimerService).Assembly;
        var found = from type in core.GetTypes()
                    from rule in s_core
                    where FolderOf(type) == rule.Folder
                    from used in UsedTypes.Of(type)
                    let folder = used.Assembly == core ? FolderOf(used) : null
                    where folder is not null && folder != rule.Folder
                    where folder.Length == 0 ? !rule.OfTheRoot.Contains(used.Name) : !rule.Folders.Contains(folder)
                    select $"{type} uses {used}";

        Assert.Empty(found.Distinct());
    }

    // Otherwise there would be a circle through the root. Seen to fail with ScheduledTimer among the types of Timers.
    [Theory]
    [MemberData(nameof(Libraries))]
    public void TypesOfTheRoot_ThatFoldersName_NameNoFolder(string library)
    {
        var sources = Source.In("src", library).ToList();
        var inFolders = sources
            .Where(static source => source.Folder.Length > 0)
            .SelectMany(static source => source.DeclaredTypes)
            .ToHashSet(StringComparer.Ordinal);
        var found = from source in sources
                    where source.Folder.Length == 0
                    where source.DeclaredTypes.Intersect(Rules(library).SelectMany(static rule => rule.OfTheRoot)).Any()
                    from word in source.Words
                    where inFolders.Contains(word)
                    select $"{source.Name} names {word}";

        Assert.Empty(found);
    }

    // Seen to fail with a field of type TimerService in OperationStatistics.
    [Fact]
    public void Statistics_NameOnlyTheMetricsOfTheCore()
    {
        var others = Source.In("src", "ScalableTimers")
            .Where(static source => source.Folder != "Metrics")
            .SelectMany(static source => source.DeclaredTypes)
            .ToHashSet(StringComparer.Ordinal);
        var found = from source in Source.In("src", "ScalableTimers.Statistics")
                    from word in source.Words
                    where others.Contains(word)
                    select $"{source.Name} names {word} of the core";

        Assert.NotEmpty(others);
        Assert.Empty(found);
    }

    // Null for what the compiler or a generator has made.
    private static string? FolderOf(Type type) =>
        type.Namespace is { } name && $"{name}.".StartsWith("ScalableTimers.", StringComparison.Ordinal)
            ? name["ScalableTimers".Length..].TrimStart('.')
            : null;

    private static Rule[] Rules(string library) => library switch
    {
        "ScalableTimers" => s_core,
        "Orleans.Timers.Scalable" => s_plugin,
        _ => s_transactions,
    };

    private sealed record Rule(string Folder, string[] Folders, string[] OfTheRoot);
}
