using System.Diagnostics;
using System.Text.Json;
using TransactionsDemo.CommandLine;
using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>
/// A silo in a process of its own, so that it can be killed. It ends with the process that started it.
/// </summary>
internal sealed class SiloProcess : IAsyncDisposable
{
    /// <summary>The command of this program that runs it.</summary>
    public const string Command = "silo";

    private const string Started = "started";

    private readonly Process _process;

    private SiloProcess(Process process) => _process = process;

    /// <summary>Starts a silo and waits until it has joined its cluster.</summary>
    public static async Task<SiloProcess> StartAsync(SiloSettings settings)
    {
        var start = OwnProgram.StartInfo([Command, JsonSerializer.Serialize(settings)]);
        start.RedirectStandardInput = true;
        start.RedirectStandardError = false;
        var silo = new SiloProcess(Process.Start(start)!);
        while (await silo._process.StandardOutput.ReadLineAsync() is { } line)
        {
            if (line == Started)
            {
                return silo;
            }
        }

        throw new InvalidOperationException("A silo's process ended before it had joined the cluster.");
    }

    /// <summary>Runs the silo in this process until the input ends.</summary>
    public static async Task<int> RunAsync(string settings)
    {
        using var silo = BankSilo.Build(JsonSerializer.Deserialize<SiloSettings>(settings)!, new TimerTally());
        await silo.StartAsync();
        Console.WriteLine(Started);
        while (await Console.In.ReadLineAsync() is not null)
        {
        }

        await silo.StopAsync();
        return 0;
    }

    /// <summary>Kills the process, by SIGKILL where that exists. The process cannot react.</summary>
    public void Kill() => _process.Kill();

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            _process.StandardInput.Close();
        }

        await _process.WaitForExitAsync();
        _process.Dispose();
    }
}
