using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.TestingHost;
using Orleans.Timers.Internal;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Tests.Upstream;

/// <summary>A plain Orleans silo without this library, for the reproductions of <c>docs/upstream</c>.</summary>
public sealed class StockSilo : IAsyncLifetime
{
    internal static readonly TimeSpan LockAcquireTimeout = TimeSpan.FromMilliseconds(300);
    internal static readonly TimeSpan ResponseTimeout = TimeSpan.FromSeconds(5);

    private readonly InProcessTestCluster _cluster;

    public StockSilo()
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 1);
        builder.ConfigureSilo((_, silo) =>
        {
            silo.AddMemoryGrainStorage("accounts").UseTransactions();
            silo.Configure<TransactionalStateOptions>(options =>
            {
                options.LockTimeout = TimeSpan.FromSeconds(30);
                options.LockAcquireTimeout = LockAcquireTimeout;
            });
            silo.Configure<SiloMessagingOptions>(options => options.ResponseTimeout = ResponseTimeout);
            silo.AddIncomingGrainCallFilter(AnswerAbortsOfTheSilentOneLate);
        });
        builder.Options.ConfigureFileLogging = false;
        _cluster = builder.Build();
    }

    internal IGrainFactory Grains => Services.GetRequiredService<IGrainFactory>();

    internal ITimerManager Timers => Services.GetRequiredService<ITimerManager>();

    internal IServiceProvider Services => _cluster.Silos[0].ServiceProvider;

    internal ITransactionClient Transactions => Services.GetRequiredService<ITransactionClient>();

    public async ValueTask InitializeAsync() => await _cluster.DeployAsync();

    public async ValueTask DisposeAsync()
    {
        var timers = Timers;
        await _cluster.DisposeAsync();

        // The timers that the silo's transactions left in Orleans' static timer manager have been cancelled now. The
        // manager removes them at its next look.
        await LookThrough(timers);
    }

    /// <summary>Waits until Orleans' static timer manager has looked through its timers.</summary>
    internal static async Task LookThrough(ITimerManager timers)
    {
        for (var i = 0; i < 3; i++)
        {
            await timers.Delay(TimeSpan.FromMilliseconds(1));
        }
    }

    /// <summary>The activation of a grain that is active.</summary>
    internal IGrainContext Activation(IAddressable grain) =>
        _cluster.TryGetGrainContext(grain.GetGrainId(), out var context)
            ? context
            : throw new InvalidOperationException($"{grain.GetGrainId()} is not active.");

    private static async Task AnswerAbortsOfTheSilentOneLate(IIncomingGrainCallContext context)
    {
        await context.Invoke();
        if (context.MethodName == nameof(ITransactionalResourceExtension.Abort)
            && context.TargetId.Key == IdSpan.Create("silent"))
        {
            await Task.Delay(ResponseTimeout + TimeSpan.FromSeconds(2));
        }
    }
}
