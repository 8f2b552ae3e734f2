using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.TestingHost;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Two silos and a client with call diagnostics, call timeouts and deadlines, and a silo without any. No test stops
/// them.
/// </summary>
public sealed class DiagnosticSilos : IAsyncLifetime
{
    private readonly InProcessTestCluster _cluster;

    public DiagnosticSilos()
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 3);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo((options, silo) =>
        {
            silo.Services.AddSingleton<ILoggerProvider>(Log);
            silo.AddScalableTimers();
            silo.AddOutgoingGrainCallFilter(LateThrow.Invoke);
            if (options.SiloName.EndsWith('0'))
            {
                silo.AddCallDeadlines().AddCallDiagnostics(MeasureAll).AddCallTimeouts();
            }
            else if (options.SiloName.EndsWith('1'))
            {
                silo.AddCallTimeouts().AddCallDiagnostics(MeasureAll).AddCallDeadlines();
            }
        });
        builder.ConfigureClient(client =>
        {
            client.Services.AddSingleton<ILoggerProvider>(Log);
            client.AddCallTimeouts().AddCallDiagnostics(MeasureAll).AddCallDeadlines();
        });
        _cluster = builder.Build();

        // A busy machine may take long.
        static void MeasureAll(CallDiagnosticsOptions options)
        {
            options.QueueTimeSampling = 1;
            options.QuestionTimeout = TimeSpan.FromSeconds(5);
            options.LongestDelay = TimeSpan.FromSeconds(10);
        }
    }

    internal CollectedLog Log { get; } = new();

    internal IClusterClient Client => _cluster.Client;

    internal InProcessSiloHandle First => _cluster.Silos.Single(static silo => silo.Name.EndsWith('0'));

    internal InProcessSiloHandle Second => _cluster.Silos.Single(static silo => silo.Name.EndsWith('1'));

    /// <summary>The one without diagnostics.</summary>
    internal InProcessSiloHandle Stock => _cluster.Silos.Single(static silo => silo.Name.EndsWith('2'));

    internal static TimerService TimersOf(InProcessSiloHandle silo) =>
        silo.ServiceProvider.GetRequiredService<TimerService>();

    public async ValueTask InitializeAsync() => await _cluster.DeployAsync();

    public async ValueTask DisposeAsync() => await _cluster.DisposeAsync();
}
