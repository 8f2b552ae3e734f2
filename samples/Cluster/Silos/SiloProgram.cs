using System.Diagnostics;
using System.Text.Json;
using Cluster.Bank;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Silos;

/// <summary>
/// The process of a silo. It writes its figures to its output once a second, obeys its input, and ends when the input
/// does, because the process that started it may have been killed.
/// </summary>
internal static class SiloProgram
{
    public const string Command = "silo";
    public const string Stop = "stop";
    public const string Starve = "starve";

    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(1);

    public static async Task RunAsync(string settings)
    {
        using var log = new LogCounts();
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders().AddProvider(log).SetMinimumLevel(LogLevel.Warning);
        builder.UseOrleans(silo => BankSilo.Configure(silo, JsonSerializer.Deserialize<SiloSettings>(settings)!));
        using var host = builder.Build();
        var watch = host.Services.GetRequiredService<WaitWatch>();

        // Dedicated threads, which continue while the pool starves.
        StartThread(() =>
        {
            while (true)
            {
                Thread.Sleep(s_period);
                Write(watch, log);
            }
        });
        var stopped = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        StartThread(() => Obey(stopped));
        await host.StartAsync();
        await stopped.Task;
        watch.CountLost();
        await host.StopAsync();
        Write(watch, log);
    }

    private static void Write(WaitWatch watch, LogCounts log)
    {
        var figures = new SiloFigures(
            watch.Figures,
            log.Read(),
            Environment.CpuUsage.TotalTime.TotalSeconds,
            Environment.WorkingSet / 1_000_000.0);
        Console.WriteLine(JsonSerializer.Serialize(figures));
    }

    private static void Obey(TaskCompletionSource stopped)
    {
        while (Console.ReadLine() is { } line)
        {
            switch (line.Split(' '))
            {
                case [Stop]:
                    stopped.TrySetResult();
                    break;
                case [Starve, var seconds]:
                    BlockThePool(TimeSpan.FromSeconds(int.Parse(seconds)));
                    break;
            }
        }

        Environment.Exit(1);
    }

    /// <summary>Queues more blocking work than the pool can start threads for in that time.</summary>
    private static void BlockThePool(TimeSpan duration)
    {
        var startedAt = Stopwatch.GetTimestamp();
        for (var item = 0; item < 1_000; item++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    while (Stopwatch.GetElapsedTime(startedAt) < duration)
                    {
                        Thread.Sleep(10);
                    }
                },
                null);
        }
    }

    private static void StartThread(Action action) => new Thread(() => action()) { IsBackground = true }.Start();
}
