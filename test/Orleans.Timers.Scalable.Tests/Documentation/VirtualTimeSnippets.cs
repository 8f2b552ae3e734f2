using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Time.Testing;
using Orleans.TestingHost;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests.Documentation;

/// <summary>How the tests of an application bring virtual time to its grains.</summary>
public sealed class VirtualTimeSnippets
{
    [Fact(Timeout = 120_000)]
    public async Task Mailbox_TimePasses_GetsMailAndIsEmptied()
    {
        var clock = new FakeTimeProvider();
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 1);
        builder.ConfigureSilo((_, silo) =>
        {
            silo.AddScalableTimers();
            silo.Services.AddKeyedSingleton<TimeProvider>(TimeProviderNames.Grains, clock);
        });
        await using var cluster = builder.Build();
        await cluster.DeployAsync();
        var timers = cluster.Silos[0].ServiceProvider.GetRequiredService<TimerService>();

        var mail = cluster.Client.GetGrain<IMailboxGrain>("ann").AwaitMail();
        await UntilDelayed(timers);
        clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal("a letter", await mail);

        var mailbox = cluster.Client.GetGrain<IMailboxGrain>("bob");
        await mailbox.EmptyEveryHour();
        while (await mailbox.TimesEmptied() < 3)
        {
            clock.Advance(TimeSpan.FromHours(1));
        }
    }

    private static async Task UntilDelayed(TimerService timers)
    {
        while (!timers.GetPending(maxCount: 1000).Any(static timer => timer.Kind == PendingTimerKind.Delay))
        {
            await Task.Delay(1, TestContext.Current.CancellationToken);
        }
    }
}

public interface IMailboxGrain : IGrainWithStringKey
{
    Task<string> AwaitMail();

    Task EmptyEveryHour();

    Task<int> TimesEmptied();
}

public sealed class MailboxGrain(IGrainDelay delay) : Grain, IMailboxGrain
{
    private int _timesEmptied;

    public async Task<string> AwaitMail()
    {
        await delay.Delay(TimeSpan.FromMinutes(1));
        return "a letter";
    }

    public Task EmptyEveryHour()
    {
        var hour = TimeSpan.FromHours(1);
        this.RegisterGrainTimer(
            _ =>
            {
                _timesEmptied++;
                return Task.CompletedTask;
            },
            hour,
            hour);
        return Task.CompletedTask;
    }

    public Task<int> TimesEmptied() => Task.FromResult(_timesEmptied);
}
