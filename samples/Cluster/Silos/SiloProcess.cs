using System.Diagnostics;
using System.Text.Json;
using Cluster.Bank;

namespace Cluster.Silos;

/// <summary>A silo's process, from outside.</summary>
internal sealed class SiloProcess : IDisposable
{
    private readonly Process _process;
    private volatile SiloFigures? _figures;

    private SiloProcess(SiloSettings settings, Process process)
    {
        Settings = settings;
        _process = process;
    }

    public SiloSettings Settings { get; }

    public int Id => _process.Id;

    public bool IsAlive => !_process.HasExited;

    /// <summary>What it said last; null before that.</summary>
    public SiloFigures? Figures => _figures;

    public static SiloProcess Start(SiloSettings settings)
    {
        var start = new ProcessStartInfo("dotnet")
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            ArgumentList =
            {
                typeof(SiloProcess).Assembly.Location, SiloProgram.Command, JsonSerializer.Serialize(settings),
            },
        };
        var silo = new SiloProcess(settings, Process.Start(start)!);
        silo._process.OutputDataReceived += (_, line) => silo.OnLine(line.Data);
        silo._process.BeginOutputReadLine();
        return silo;
    }

    /// <summary>Ends it as a crash of its machine would.</summary>
    public void Kill() => _process.Kill();

    public void Pause() => Signal("STOP");

    public void Continue() => Signal("CONT");

    public void Starve(int seconds) => _process.StandardInput.WriteLine($"{SiloProgram.Starve} {seconds}");

    /// <summary>Stops it as an upgrade would. It is killed if that takes longer than a minute.</summary>
    public async Task StopAsync()
    {
        _process.StandardInput.WriteLine(SiloProgram.Stop);
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(1));
        try
        {
            await _process.WaitForExitAsync(patience.Token);
        }
        catch (OperationCanceledException)
        {
            Kill();
        }
    }

    public void Dispose()
    {
        if (IsAlive)
        {
            Kill();
        }

        _process.Dispose();
    }

    private void OnLine(string? line)
    {
        if (line is ['{', ..])
        {
            _figures = JsonSerializer.Deserialize<SiloFigures>(line);
        }
        else if (line is not null)
        {
            Console.Error.WriteLine($"{Settings.Name}: {line}");
        }
    }

    private void Signal(string signal)
    {
        using var kill = Process.Start("kill", [$"-{signal}", $"{_process.Id}"]);
        kill.WaitForExit();
    }
}
