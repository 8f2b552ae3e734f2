using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;
using Orleans.Storage;
using Orleans.Timers.Scalable.Tests.Documentation;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The recipe for writing state behind, in silos that stop under load.</summary>
public sealed class WriteBehindTests
{
    private const int Counters = 100;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2);

    // Seen to fail without the write in OnDeactivateAsync: nearly everything the stopped silo had counted was lost.
    [Fact]
    public async Task Increment_SilosStopUnderLoad_LosesNothingThatWasAnswered()
    {
        var written = new ConcurrentDictionary<(string State, GrainId Grain), (byte[] Bytes, int Version)>();
        await using var cluster = await Clusters.Deploy(silos: 2, (_, silo) =>
        {
            silo.AddScalableTimers();
            silo.Services.AddKeyedSingleton<IGrainStorage>(
                CounterGrain.Storage,
                (services, _) => new LastingStorage(written, services.GetRequiredService<Serializer>()));
        });
        var answered = new int[Counters];
        using var end = new CancellationTokenSource();
        var load = Enumerable.Range(0, Counters).Select(Load).ToList();

        var counted = Task.WhenAll(Enumerable.Range(0, Counters).Select(async i =>
        {
            while (Volatile.Read(ref answered[i]) < 20)
            {
                await Task.Delay(10, TestContext.Current.CancellationToken);
            }
        }));
        await counted.Guarded("all counters have counted");
        await cluster.Silos[1].StopSiloAsync(stopGracefully: true).Guarded("a silo stops under load");
        await end.CancelAsync();
        await Task.WhenAll(load).Guarded("the load ends");
        await cluster.Silos[0].StopSiloAsync(stopGracefully: true).Guarded("the other silo stops");

        var values = new int[Counters];
        using var services = new ServiceCollection().AddSerializer().BuildServiceProvider();
        foreach (var ((_, grain), (bytes, _)) in written)
        {
            var state = services.GetRequiredService<Serializer>().Deserialize<CounterState>(bytes);
            values[grain.GetIntegerKey()] = state!.Value;
        }

        // More is possible: a call whose answer was lost when its silo stopped.
        Assert.All(answered.Zip(values), static each => Assert.True(
            each.Second >= each.First, $"{each.First} were answered and {each.Second} are stored."));

        async Task Load(int i)
        {
            var counter = cluster.Client.GetGrain<ICounterGrain>(i);
            while (!end.IsCancellationRequested)
            {
                try
                {
                    // The answer of a stopping silo may be lost, for as long as the response timeout.
                    Volatile.Write(
                        ref answered[i],
                        await counter.Increment().WaitAsync(s_patience, TestContext.Current.CancellationToken));
                }
                catch (Exception)
                {
                    // The silo of this counter is stopping.
                    await Task.Delay(10, TestContext.Current.CancellationToken);
                }
            }
        }
    }
}
