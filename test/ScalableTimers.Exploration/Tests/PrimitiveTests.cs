using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

namespace ScalableTimers.Exploration.Tests;

/// <summary>Operations that the engine cannot see and that no shadow prevents.</summary>
public partial class PrimitiveTests
{
    private const BindingFlags All =
        BindingFlags.Static | BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic
        | BindingFlags.DeclaredOnly;

    [Fact]
    public void Core_VolatileFields_AreNotUsed()
    {
        // An access to such a field is no call, so the engine cannot intercept it.
        var found = CoreTypes.All.SelectMany(static type => type.GetFields(All))
            .Where(static field => field.GetRequiredCustomModifiers().Contains(typeof(IsVolatile)))
            .Select(static field => $"{field.DeclaringType!.Name}.{field.Name}");
        Assert.Empty(found);
    }

    [Fact]
    public void Core_Locks_AreOfTheTypeThatIsShadowed()
    {
        // A lock on any other object uses System.Threading.Monitor without naming it.
        var sources = Sources().ToList();
        Assert.NotEmpty(sources);
        var others =
            from source in sources
            let text = File.ReadAllText(source)
            from match in LockStatement().Matches(text)
            let name = match.Groups["name"].Value
            where !Regex.IsMatch(text, $@"\bLock {name}\b")
            select $"{Path.GetFileName(source)}: lock ({name})";
        Assert.Empty(others);
    }

    // A name with its namespace means the framework's type.
    [Fact]
    public void Core_ShadowedNames_AreNotWrittenInFull() => Assert.Empty(LinesWith(InFull()));

    // To use one of these, write a shadow for it first.
    [Fact]
    public void Core_TypesWithoutAShadow_AreNotUsed() => Assert.Empty(LinesWith(WithoutAShadow()));

    [Fact]
    public void Meters_OfServices_AreOff() =>
        // An earlier version of the project set a property with a wrong name. Each service then left a meter behind,
        // and after minutes an interleaving cost ten times as much.
        Assert.True(AppContext.TryGetSwitch("System.Diagnostics.Metrics.Meter.IsSupported", out var isOn) && !isOn);

    [GeneratedRegex(@"^\s*lock \((?<name>[\w.]+)\)", RegexOptions.Multiline)]
    private static partial Regex LockStatement();

    [GeneratedRegex(
        @"^(?!\s*//)(?!\s*using [\w.]+;).*System\.Threading\.(Interlocked|Volatile|Monitor|Thread\b|ThreadPool|SpinWait"
        + @"|AutoResetEvent|ManualResetEvent\b|CancellationTokenRegistration)|^\s*using \w+ = System\.Threading\.\w+;")]
    private static partial Regex InFull();

    [GeneratedRegex(
        @"^(?!\s*//).*(?<![\w.])(Monitor|ManualResetEventSlim|EventWaitHandle|Semaphore(Slim)?|Mutex|SpinLock"
        + @"|Barrier|CountdownEvent|ReaderWriterLock(Slim)?|new Timer|PeriodicTimer|LazyInitializer"
        + @"|ConcurrentBag|BlockingCollection)\b")]
    private static partial Regex WithoutAShadow();

    private static IEnumerable<string> LinesWith(Regex pattern) =>
        Sources()
            .SelectMany(
                source =>
                    File.ReadLines(source)
                        .Where(line => pattern.IsMatch(line))
                        .Select(line => $"{Path.GetFileName(source)}: {line.Trim()}"));

    private static IEnumerable<string> Sources([CallerFilePath] string file = "") =>
        new[] { "ScalableTimers", "ScalableTimers.Statistics" }.SelectMany(
            library => Directory.EnumerateFiles(
                Path.GetFullPath(Path.Combine(Path.GetDirectoryName(file)!, "../../../src", library)),
                "*.cs",
                SearchOption.AllDirectories));
}
