using System.Reflection;
using System.Text;
using ScalableTimers.Testing;

namespace ScalableTimers.Tests.PublicApi;

/// <summary>What the packages offer is what the golden files beside the tests say. A change of them is a decision, seen in review.</summary>
public class PublicApiTests
{
    private const string Accept = "UPDATE_PUBLIC_API";

    [Fact]
    public void ScalableTimers_IsAsAgreed() => AssertAgreed(typeof(TimerService).Assembly);

    [Fact]
    public void ScalableTimersTesting_IsAsAgreed() => AssertAgreed(typeof(ManualTimeProvider).Assembly);

    [Fact]
    public void Core_NamesOfTheContract_AreThere()
    {
        // DESIGN, section 4. The golden file may grow; these stay.
        var methods = typeof(TimerService).GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly).Select(static method => method.Name).ToHashSet();
        Assert.Superset(new HashSet<string> { "Delay", "TryDelay", "Schedule", "GetTimeoutToken", "StopAsync", "GetSnapshot", "Dispose", "DisposeAsync" }, methods);
        Assert.Equal(typeof(TimeProvider), typeof(TimerService).GetProperty(nameof(TimerService.TimeProvider))!.PropertyType);
        Assert.Equal(typeof(bool), typeof(ScheduledTimer).GetMethod(nameof(ScheduledTimer.Cancel))!.ReturnType);
        Assert.Equal(typeof(bool), typeof(ScheduledTimer).GetMethod(nameof(ScheduledTimer.Reschedule))!.ReturnType);
        Assert.True(typeof(ScheduledTimer).IsValueType);
    }

    private static void AssertAgreed(Assembly assembly)
    {
        var name = $"PublicApi.{assembly.GetName().Name}.txt";
        var actual = PublicApiWriter.Write(assembly);
        var copy = Path.Combine(AppContext.BaseDirectory, name);
        if (Environment.GetEnvironmentVariable(Accept) == "1")
        {
            File.WriteAllText(Repository.Path("test", "ScalableTimers.Tests", name), actual);
            File.WriteAllText(copy, actual);
        }

        var agreed = File.Exists(copy) ? File.ReadAllText(copy).ReplaceLineEndings("\n") : string.Empty;
        if (agreed != actual)
        {
            Assert.Fail($"The public surface of {assembly.GetName().Name} is not what {name} says:\n\n{Difference(agreed, actual)}\nIf that is intended, run the tests with {Accept}=1 and commit the file.");
        }
    }

    /// <summary>Lines that have gone and lines that have come, each below the type that it belongs to.</summary>
    private static string Difference(string agreed, string actual)
    {
        var before = Lines(agreed);
        var after = Lines(actual);
        var text = new StringBuilder();
        foreach (var line in before.Except(after).Select(static line => (Sign: '-', line.Type, line.Text)).Concat(after.Except(before).Select(static line => (Sign: '+', line.Type, line.Text))).OrderBy(static line => line.Type, StringComparer.Ordinal))
        {
            text.Append(line.Sign).Append(' ').Append(line.Type).Append(line.Type == line.Text ? string.Empty : ": " + line.Text.Trim()).Append('\n');
        }

        return text.Length == 0 ? "The same lines in another order.\n" : text.ToString();
    }

    private static List<(string Type, string Text)> Lines(string api)
    {
        var lines = new List<(string Type, string Text)>();
        var type = string.Empty;
        foreach (var line in api.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            type = line.StartsWith(' ') ? type : line;
            lines.Add((type, line));
        }

        return lines;
    }
}
