using System.Diagnostics;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Tests;

/// <summary>
/// Another process of this program, which explores scenarios from the last one backwards, because an engine is a
/// process's only one and runs one thread at a time. Who creates a scenario's file explores it, and the other process
/// reads there what came out.
/// </summary>
public sealed class SecondProcess : IDisposable
{
    private const string FolderVariable = "SCALABLE_TIMERS_EXPLORATION_SHARED";
    private const string Passed = "passed\n";

    private readonly string? _folder;
    private readonly Process? _process;

    public SecondProcess()
    {
        if (Environment.ProcessorCount == 1 || ScenarioTests.Names.Count < 3 || FolderOfTheFirst is not null)
        {
            return;
        }

        _folder = Directory.CreateTempSubdirectory("exploration").FullName;

        // This process is one of the program's own, or of `dotnet` with the program as its argument.
        var program = Environment.ProcessPath!;
        string[] arguments =
        [
            "--no-ansi",
            "--explicit",
            "only",
            "--filter-method",
            "*" + nameof(ScenarioTests.Scenarios_OfAnotherProcess_AreExplored)
        ];
        var isHost = Path.GetFileNameWithoutExtension(program) == "dotnet";
        var start = new ProcessStartInfo(
            program, isHost ? [typeof(SecondProcess).Assembly.Location, .. arguments] : arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            Environment = { [FolderVariable] = _folder },
        };
        _process = Process.Start(start)!;
        _process.OutputDataReceived += static (_, _) => { };
        _process.BeginOutputReadLine();
    }

    /// <summary>Where this process shares scenarios with the one that has started it; null if none has.</summary>
    internal static string? FolderOfTheFirst => Environment.GetEnvironmentVariable(FolderVariable);

    /// <summary>Explores a scenario, or waits until the other process has.</summary>
    /// <returns>What there is to say.</returns>
    internal string Explore(Scenario scenario)
    {
        if (_folder is null || TryClaim(_folder, scenario))
        {
            return new ScenarioSearch(scenario).Run();
        }

        var result = Path.Combine(_folder, scenario.Name + ".result");
        while (!File.Exists(result))
        {
            Assert.False(
                _process!.WaitForExit(milliseconds: 20) && !File.Exists(result),
                $"The other process has ended without having explored {scenario.Name}.");
        }

        var text = File.ReadAllText(result);
        Assert.True(text.StartsWith(Passed, StringComparison.Ordinal), text);
        return text[Passed.Length..];
    }

    /// <summary>What the second process does.</summary>
    internal static void ExploreForTheFirst(string folder)
    {
        // It ends with the first, even if that breaks off.
        _ = Task.Run(static () =>
        {
            _ = Console.In.Read();
            Environment.Exit(1);
        });
        foreach (
            var scenario in ScenarioCatalog.All.Reverse().Where(
                scenario => Effort.IsWanted(scenario.Name) && TryClaim(folder, scenario)))
        {
            string text;
            try
            {
                text = Passed + new ScenarioSearch(scenario).Run();
            }
#pragma warning disable CA1031 // Whatever it is, the other process is to fail with it.
            catch (Exception exception)
#pragma warning restore CA1031
            {
                text = exception.ToString();
            }

            // It appears when it is complete.
            var path = Path.Combine(folder, scenario.Name);
            File.WriteAllText(path, text);
            File.Move(path, path + ".result");
        }
    }

    public void Dispose()
    {
        if (_process is not null)
        {
            _process.Kill();
            _process.WaitForExit();
            _process.Dispose();
            Directory.Delete(_folder!, recursive: true);
        }
    }

    private static bool TryClaim(string folder, Scenario scenario)
    {
        try
        {
            using var claim = new FileStream(Path.Combine(folder, scenario.Name + ".claim"), FileMode.CreateNew);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }
}
