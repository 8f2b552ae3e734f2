namespace Orleans.Timers.Scalable.Tests.Documentation;

/// <summary>The code of the pages that needs Orleans.</summary>
internal static class OrleansSnippets
{
    internal static void Configure(ISiloBuilder siloBuilder)
    {
        siloBuilder.AddScalableTimers();
    }

    internal static void ConfigureTransactions(ISiloBuilder siloBuilder)
    {
        siloBuilder.UseTransactions();
        siloBuilder.AddScalableTimers();
    }

    internal static void ConfigureOptions(ISiloBuilder siloBuilder)
    {
        siloBuilder.AddScalableTimers(options => options.Resolution = TimeSpan.FromMilliseconds(5));
        siloBuilder.Configure<OrleansTimerOptions>(options => options.PromptResponseTimeouts = false);
    }

    internal static void ConfigurePhases(ISiloBuilder siloBuilder)
    {
        siloBuilder.UseTransactions();
        siloBuilder.ConfigureTransactionPhases(phases =>
        {
            phases.Deadline = TimeSpan.FromSeconds(5);
            phases.LockAcquisition = TimeSpan.FromSeconds(2);
        });
    }

    internal static void ConfigureFastRecovery(ISiloBuilder siloBuilder)
    {
        siloBuilder.ConfigureTransactionPhases(phases => phases.UseFastRecovery = true);
    }
}

public interface IPollingGrain : IGrainWithIntegerKey
{
    Task<string?> PollUntilDone();
}

public sealed class PollingGrain(IGrainDelay delay) : Grain, IPollingGrain
{
    public async Task<string?> PollUntilDone()
    {
        do
        {
            if (await TryGetResult() is { } result)
            {
                return result;
            }
        }
        while (await delay.TryDelay(TimeSpan.FromSeconds(1)));

        return null;
    }

    private static Task<string?> TryGetResult() => Task.FromResult<string?>("done");
}
