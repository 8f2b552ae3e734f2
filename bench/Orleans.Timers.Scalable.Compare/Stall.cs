using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using ScalableTimers;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;
using Shared;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>How many calls does a pause of the caller lose, although they were answered in time?</summary>
/// <remarks>
/// The silo runs in the process of the round. Each client is a process of its own, which the round stops and continues
/// by signals; this needs Linux. Clients are stopped one after another, so that no two wake at the same time.
/// </remarks>
internal static class Stall
{
    private const string Argument = "--stalled-client";
    private const string Alone = "Orleans alone";
    private const string ByResponseTimeout = "AddScalableTimers";
    private const string ByCaller = "WithTimeout";
    private const int Clients = 5;
    private const int Calls = 500;
    private const int SigCont = 18;
    private const int SigStop = 19;

    private static readonly TimeSpan s_answerTime = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_stall = TimeSpan.FromSeconds(8);
    private static readonly TimeSpan s_apart = TimeSpan.FromSeconds(1.5);

    internal static Workload Workload { get; } = new(
        "stall",
        $"{Clients} clients make {Calls} calls each, are stopped for {s_stall.Seconds} s, and then find the answers. "
            + $"How many answers do they lose? An answer takes {s_answerTime.Seconds} s, and the timeout is "
            + $"{s_timeout.Seconds} s.",
        Column.LostCalls,
        static _ =>
        [
            .. new[] { Alone, ByResponseTimeout, ByCaller }.Select(
                static way => new Contestant(way, () => Measure(way))),
        ])
    {
        HasOwnProcesses = true,
        Rounds = 4,
    };

    /// <summary>Runs the client if this process is one.</summary>
    internal static bool RunIfClient(string[] arguments)
    {
        if (arguments is not [Argument, var way, var gatewayPort])
        {
            return false;
        }

        RunClient(way, int.Parse(gatewayPort, CultureInfo.InvariantCulture)).GetAwaiter().GetResult();
        return true;
    }

    private static Measurement Measure(string way)
    {
        var ports = FreePorts.Find(2);
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders();
        builder.UseOrleans(silo => silo.UseLocalhostClustering(ports[0], ports[1]));
        using var host = builder.Build();
        host.Start();

        var clients = Enumerable.Range(0, Clients).Select(_ => Start(way, ports[1])).ToList();
        clients.ForEach(static client => client.StandardOutput.ReadLine());
        var stalls = clients.Select(static async (client, i) =>
        {
            await Task.Delay(i * s_apart);
            await client.StandardInput.WriteLineAsync();
            await client.StandardOutput.ReadLineAsync();
            _ = Kill(client.Id, SigStop);
            await Task.Delay(s_stall);
            _ = Kill(client.Id, SigCont);
            return int.Parse((await client.StandardOutput.ReadLineAsync())!, CultureInfo.InvariantCulture);
        });
        var lost = Task.WhenAll(stalls).GetAwaiter().GetResult();
        Console.Error.WriteLine($"{way}: of {Calls} calls lost {string.Join(", ", lost)}");
        clients.ForEach(static client => client.Dispose());
        return new Measurement
        {
            [Column.LostCalls] = lost.Sum(),
            [Column.LosingStalls] = lost.Count(static calls => calls > 0),
        };
    }

    private static Process Start(string way, int gatewayPort) =>
        Process.Start(OwnProcess.With(Argument, way, gatewayPort.ToString(CultureInfo.InvariantCulture)))!;

    private static async Task RunClient(string way, int gatewayPort)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders();
        builder.UseOrleansClient(client =>
        {
            client.UseLocalhostClustering(gatewayPort);
            if (way is Alone or ByResponseTimeout)
            {
                client.Configure<ClientMessagingOptions>(static options => options.ResponseTimeout = s_timeout);
            }

            if (way != Alone)
            {
                client.AddScalableTimers();
            }
        });
        using var host = builder.Build();
        await host.StartAsync();
        var grains = host.Services.GetRequiredService<IGrainFactory>();
        var timers = host.Services.GetService<TimerService>();
        await Task.WhenAll(Enumerable.Range(0, Calls).Select(
            i => grains.GetGrain<ICallee>(i).AnswerAfter(TimeSpan.Zero)));
        Console.WriteLine("ready");
        Console.ReadLine();

        var calls = Enumerable.Range(0, Calls).Select(i =>
        {
            var call = grains.GetGrain<ICallee>(i).AnswerAfter(s_answerTime);
            return way == ByCaller ? timers!.WithTimeout(call, s_timeout) : call;
        }).ToList();

        // Let the calls leave.
        await Task.Delay(TimeSpan.FromSeconds(0.5));
        Console.WriteLine("sent");
        var lost = 0;
        foreach (var call in calls)
        {
            try
            {
                await call;
            }
            catch (TimeoutException)
            {
                lost++;
            }
        }

        Console.WriteLine(lost);
        Environment.Exit(0);
    }

    [DllImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Kill(int process, int signal);
}
