using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using System.Runtime;
using System.Runtime.InteropServices;

namespace ScalableTimers.Compare.Reporting;

/// <summary>The machine, the time and the commit of the figures.</summary>
internal sealed record Machine(
    string OperatingSystem,
    int Cores,
    string Runtime,
    string GarbageCollector,
    string TieredCompilation,
    DateTimeOffset Date,
    string Commit)
{
    internal static Machine Current() => new(
        RuntimeInformation.OSDescription,
        Environment.ProcessorCount,
        RuntimeInformation.FrameworkDescription,
        $"{(GCSettings.IsServerGC ? "server" : "workstation")} GC, "
        + $"{(GCSettings.LatencyMode == GCLatencyMode.Batch ? "not concurrent" : "concurrent")}",
        $"tiered compilation {Switch("TieredCompilation")}, profile-guided {Switch("TieredPGO")}",
        DateTimeOffset.UtcNow,
        CommitOfSources());

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{OperatingSystem}, {Cores} cores, {Runtime}, {GarbageCollector}, {TieredCompilation}, "
        + $"{Date:yyyy-MM-dd HH:mm} UTC, commit {Commit}");

    // Both are on by default. The environment overrides the runtime's configuration.
    private static string Switch(string name)
    {
        var isOn = Environment.GetEnvironmentVariable($"DOTNET_{name}") is { Length: > 0 } value
            ? value.TrimStart('0') is not ""
            : !AppContext.TryGetSwitch($"System.Runtime.{name}", out var configured) || configured;
        return isOn ? "on" : "off";
    }

    private static string CommitOfSources()
    {
        try
        {
            using var git = Process.Start(new ProcessStartInfo("git", ["rev-parse", "--short", "HEAD"])
            {
                WorkingDirectory = AppContext.BaseDirectory,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!;
            var commit = git.StandardOutput.ReadToEnd().Trim();
            git.WaitForExit();
            if (git.ExitCode == 0 && commit.Length > 0)
            {
                return commit;
            }
        }
        catch (System.ComponentModel.Win32Exception)
        {
            // There is no git. The build may have noted the commit.
        }

        var version =
            typeof(TimerService).Assembly
                .GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;
        return version?.Split('+') is [_, { Length: >= 7 } revision] ? revision[..7] : "unknown";
    }
}
