namespace ScalableTimers.Tests.Architecture;

/// <summary>Which source may name what. Comments do not count.</summary>
public class SourceRulesTests
{
    private static readonly string[] s_notInTheWheel =
    [
        "TimeProvider", "TickClock", "TimeSpan ", "DateTime",
        "Lock ", "lock (", "Monitor.", "Interlocked.", "Volatile.", "ReentrantInterlockedLock", "Semaphore",
        "Mutex", "volatile ",
        "Thread", "Task", "ITimer",
        "ScalableTimers.Clock", "ScalableTimers.Firing", "ScalableTimers.Queues", "ScalableTimers.Timers",
        "ScalableTimers.Driving",
    ];

    // What AddScalableTimers needs beside abstractions: options, and binding them to a section of the configuration.
    private static readonly string[] s_knownToEveryHost =
    [
        "Microsoft.Extensions.Options",
        "Microsoft.Extensions.Primitives",
        "Microsoft.Extensions.Configuration",
        "Microsoft.Extensions.Configuration.Binder",
        "Microsoft.Extensions.Options.ConfigurationExtensions",
    ];

    // ScalableTimeProvider passes its clock's timestamps on.
    [Fact]
    public void Core_ReadsTimeInOnePlaceOnly()
    {
        var readers = Source.In("src", "ScalableTimers")
            .Where(
                static source =>
                    source.Code.Contains(".GetTimestamp()", StringComparison.Ordinal)
                        || source.Code.Contains("TickCount64", StringComparison.Ordinal))
            .Select(static source => source.Name)
            .Order(StringComparer.Ordinal);

        Assert.Equal([Path.Combine("Clock", "TickClock.cs"), "ScalableTimeProvider.cs"], readers);
    }

    [Fact]
    public void Wheel_NamesNoClockNoLockAndNoThread()
    {
        var sources = Source.In("src", "ScalableTimers", "Wheel").ToList();
        Assert.NotEmpty(sources);
        Assert.Empty(
            from source in sources
            from line in source.Code.Split('\n').Select(static (text, index) => (Text: text, Number: index + 1))
            from word in s_notInTheWheel
            where line.Text.Contains(word, StringComparison.Ordinal)
            select $"{source.Name}({line.Number}): {word} in \"{line.Text.Trim()}\"");
    }

    [Fact]
    public void Core_ReferencesAbstractionsOnlyAndNoOrleans()
    {
        var references = typeof(TimerService)
            .Assembly.GetReferencedAssemblies()
            .Select(static name => name.Name!)
            .ToList();

        Assert.All(
            references,
            static name => Assert.True(
                name.StartsWith("System.", StringComparison.Ordinal)
                    || s_knownToEveryHost.Contains(name)
                    || (name.StartsWith("Microsoft.Extensions.", StringComparison.Ordinal)
                        && name.EndsWith(".Abstractions", StringComparison.Ordinal)),
                name));
    }

    // Extensions of silo and client builders share the namespace of the builders, as is usual.
    [Theory]
    [InlineData("ScalableTimers", "ScalableTimers")]
    [InlineData("ScalableTimers.Statistics", "ScalableTimers")]
    [InlineData("Orleans.Timers.Scalable", "Orleans.Timers.Scalable")]
    [InlineData("Orleans.Timers.Scalable.Transactions", "Orleans.Timers.Scalable")]
    public void Types_AreInTheirFoldersNamespace_PublicOnesInOne(string library, string ofPublicTypes)
    {
        foreach (var source in Source.In("src", library))
        {
            var isPublic = source.Code.Contains("\npublic ", StringComparison.Ordinal);
            var expected = source.Name.EndsWith("BuilderExtensions.cs", StringComparison.Ordinal) ? "Orleans.Hosting"
                : isPublic ? ofPublicTypes
                : source.Folder.Length == 0 ? library
                : $"{library}.{source.Folder}";
            Assert.True(
                source.Code.Contains($"namespace {expected};", StringComparison.Ordinal),
                $"{source.Name} is not in \"{expected}\".");
        }
    }

    // To a reader, a type in several files is one type. The longest is TimerQueue, where lock, wheel and entries meet.
    [Theory]
    [InlineData("ScalableTimers")]
    [InlineData("ScalableTimers.Statistics")]
    public void Library_NoTypeHasMoreThan400LinesOfCode(string library) =>
        Assert.All(
            Source.In("src", library).GroupBy(static source => source.Type),
            static files =>
                Assert.True(
                    files.Sum(static file => file.LinesOfCode) <= 400,
                    $"{files.Key} has more than 400 lines of code, in {files.Count()} files."));

    [Theory]
    [InlineData("src")]
    [InlineData("test")]
    [InlineData("bench")]
    [InlineData("samples")]
    public void Folder_NoLineIsLongerThan120Columns(string folder) =>
        Assert.Empty(
            from source in Source.In(folder)
            from line in source.Text.Split('\n')
            where line.Length > 120
            select $"{source.Name}: {line.Trim()}");
}
