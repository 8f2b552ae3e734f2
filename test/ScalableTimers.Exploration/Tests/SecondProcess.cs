using System.Diagnostics;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Tests;

/// <summary>
/// A second process of this program. It explores scenarios from the last one backwards, because a process can have only
/// one engine, which runs one thread at a time. The process that creates a scenario's file explores the scenario, and
/// the other process reads the result from the file.
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

        // This process runs the program's own executable, or `dotnet` with the program as its argument.
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

    /// <summary>The folder that this process shares with the one that has started it; null if none has.</summary>
    internal static string? FolderOfTheFirst => Environment.GetEnvironmentVariable(FolderVariable);

    /// <summary>Explores a scenario, or waits until the other process has.</summary>
    /// <returns>The result of the exploration.</returns>
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

    /// <summary>The work of the second process.</summary>
    internal static void ExploreForTheFirst(string folder)
    {
        OneProcessor.IsTheLast = true;

        // The second process ends with the first, even if the first is killed.
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

            // The file appears when it is complete.
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
