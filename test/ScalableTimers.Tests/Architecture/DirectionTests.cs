namespace ScalableTimers.Tests.Architecture;

/// <summary>
/// The folders of the core name one another in one direction. Comments do not count, and a member that follows a dot
/// does not either.
/// </summary>
public class DirectionTests
{
    // Each row is a folder, and the folders whose types it may name besides its own and those of the root. The root is
    // the public API and may name all folders.
    private static readonly Rule[] s_rules =
    [
        new("Wheel", [], []),
        new("Clock", ["Wheel"], []),
        new("Firing", ["Clock", "Wheel"], []),
        new("Queues", ["Clock", "Wheel", "Firing"], ["PendingTimerKind"]),
        new("Timers", ["Clock", "Wheel", "Firing", "Queues"], ["PendingTimerKind", "ScheduledTimer"]),
        new("Driving", ["Clock", "Wheel", "Firing", "Queues"], ["TimerDriverKind"]),
        new("Timeouts", ["Clock", "Firing", "Queues", "Timers"], ["TimeoutLease", "ScheduledTimer"]),
        new("Metrics", ["Firing"], ["TimerService", "TimerServiceSnapshot"]),
        new("Statistics", ["Metrics"], []),
    ];

    private static readonly List<Source> s_sources = [.. Source.In("src", "ScalableTimers")];

    [Fact]
    public void EveryFolder_HasARule() =>
        Assert.Equal(
            s_rules.Select(static rule => rule.Folder).Order(StringComparer.Ordinal),
            s_sources.Select(static source => source.Folder)
                .Where(static folder => folder.Length > 0)
                .Distinct()
                .Order(StringComparer.Ordinal));

    [Fact]
    public void Rules_HaveNoCycle()
    {
        // A folder is above the folders that it names. If there is a cycle, no folder in it names only folders below
        // it.
        var below = new HashSet<string>();
        while (s_rules.FirstOrDefault(rule => !below.Contains(rule.Folder) && rule.Folders.All(below.Contains))
            is { } next)
        {
            below.Add(next.Folder);
        }

        Assert.Equal(s_rules.Length, below.Count);
    }

    [Fact]
    public void Core_FoldersNameOnlyWhatIsBelowThem()
    {
        var types = s_sources
            .SelectMany(static source => source.DeclaredTypes.Select(type => (Type: type, source.Folder)))
            .Distinct()
            .ToLookup(static pair => pair.Type, static pair => pair.Folder, StringComparer.Ordinal);
        var found = from source in s_sources
                    from rule in s_rules
                    where rule.Folder == source.Folder
                    from word in source.Words
                    from folder in types[word]
                    where folder != rule.Folder
                    let isAllowed = folder.Length == 0 ? rule.OfTheRoot.Contains(word) : rule.Folders.Contains(folder)
                    where !isAllowed
                    select $"{source.Name} names {word} of {(folder.Length == 0 ? "the root" : folder)}";

        Assert.Empty(found);
    }

    private sealed record Rule(string Folder, string[] Folders, string[] OfTheRoot);
}
