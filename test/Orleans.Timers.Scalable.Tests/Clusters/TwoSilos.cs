using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Two silos and a client with scalable timers on the system clock, transactions and reminders.</summary>
public sealed class TwoSilos() : ClusterFixture(silos: 2)
{
    /// <summary>The resolution of the second silo. The first one has the default of 10 milliseconds.</summary>
    internal static readonly TimeSpan OtherResolution = TimeSpan.FromMilliseconds(25);

    protected override void Configure(int number, ISiloBuilder silo)
    {
        silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions().UseInMemoryReminderService();
        silo.Configure<ReminderOptions>(static reminders =>
        {
            reminders.MinimumReminderPeriod = TimeSpan.FromMilliseconds(50);

            // After a start a silo may send reminders to another that does not keep them (Orleans logs "I shouldn't
            // have received request"). The silo that does keep them learns of them only at its next refresh.
            reminders.RefreshReminderListPeriod = TimeSpan.FromSeconds(1);
        });
        silo.Configure<GrainCollectionOptions>(static collection =>
        {
            collection.CollectionQuantum = TimeSpan.FromSeconds(1);
            collection.ClassSpecificCollectionAge[typeof(ShortLivedGrain).FullName!] = ShortLivedGrain.Age;
        });
        silo.Services.AddSingleton<GrainDelayTests.KeepsADelay>();
        if (number == 0)
        {
            silo.AddScalableTimers();
        }
        else
        {
            silo.AddScalableTimers(static timers => timers.Resolution = OtherResolution);
        }
    }

    protected override void Configure(IClientBuilder client) => client.AddScalableTimers();
}
