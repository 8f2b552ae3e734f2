using System.Diagnostics;
using System.Text.Json;
using Cluster.Bank;
using Shared;

namespace Cluster.Silos;

/// <summary>A silo's process, as seen from outside.</summary>
internal sealed class SiloProcess(SiloSettings settings, Process process) : IDisposable
{
    private volatile SiloFigures? _figures;

    public SiloSettings Settings => settings;

    public int Id => process.Id;

    public bool IsAlive => !process.HasExited;

    /// <summary>The figures that it reported last, or null.</summary>
    public SiloFigures? Figures => _figures;

    public static SiloProcess Start(SiloSettings settings)
    {
        var start = OwnProcess.With(SiloProgram.Command, JsonSerializer.Serialize(settings));
        start.RedirectStandardError = true;

        // The runtime's diagnostic sockets would outlive a killed silo.
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        var process = Process.Start(start)!;
        var silo = new SiloProcess(settings, process);
        process.OutputDataReceived += (_, line) => silo.OnLine(line.Data);
        process.ErrorDataReceived += (_, line) => silo.OnLine(line.Data);
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return silo;
    }

    /// <summary>Ends the silo like a crash of its machine.</summary>
    public void Kill() => process.Kill();

    public void Pause() => Signal("STOP");

    public void Continue() => Signal("CONT");

    public void Starve(int seconds) => Tell($"{SiloProgram.Starve} {seconds}");

    /// <summary>Stops the silo like an upgrade, and kills it if that takes longer than a minute.</summary>
    public async Task StopAsync()
    {
        Tell(SiloProgram.Stop);
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(1));
        try
        {
            await process.WaitForExitAsync(patience.Token);
        }
        catch (OperationCanceledException)
        {
            Console.WriteLine($"{settings.Name} did not stop within a minute.");
            Kill();
        }
    }

    public void Dispose()
    {
        Kill();
        process.Dispose();
    }

    private void Tell(string command)
    {
        try
        {
            process.StandardInput.WriteLine(command);
        }
        catch (IOException)
        {
            // The silo has already ended.
        }
    }

    private void OnLine(string? line)
    {
        // A killed silo may leave half a line.
        if (line is ['{', .., '}'])
        {
            _figures = JsonSerializer.Deserialize<SiloFigures>(line);
        }
        else if (line is not null && !line.StartsWith("   at ", StringComparison.Ordinal))
        {
            Console.Error.WriteLine($"{settings.Name}: {line}");
        }
    }

    private void Signal(string signal)
    {
        using var kill = Process.Start("kill", [$"-{signal}", $"{process.Id}"]);
        kill.WaitForExit();
    }
}
