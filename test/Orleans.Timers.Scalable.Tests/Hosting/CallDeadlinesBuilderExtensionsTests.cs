using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public sealed class CallDeadlinesBuilderExtensionsTests
{
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(3);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void AddCallDeadlines_Repeatedly_RegistersOnceAndConfiguresEachTime(bool silo)
    {
        using var host = silo
            ? TestHosts.Silo(
                static silo => silo.AddCallDeadlines().AddCallDeadlines(SetLongest).AddCallDeadlines(DoNotCount))
            : TestHosts.Client(
                static client => client.AddCallDeadlines().AddCallDeadlines(SetLongest).AddCallDeadlines(DoNotCount));

        Assert.Single(host.Services.GetServices<IOutgoingGrainCallFilter>().OfType<OutgoingDeadlineFilter>());
        Assert.Single(host.Services.GetServices<IIncomingGrainCallFilter>().OfType<IncomingDeadlineFilter>());
        Assert.Single(
            host.Services.GetServices<IConfigurationValidator>().OfType<OptionsValidator<CallDeadlineOptions>>());
        Assert.Single(host.Services.GetServices<TimerService>());
        var options = host.Services.GetRequiredService<IOptions<CallDeadlineOptions>>().Value;
        Assert.Equal((s_longest, false), (options.LongestBudget, options.CountTimeInQueues));
    }

    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 0)]
    [InlineData(true, 50)]
    public async Task Start_LongestBudgetOutOfItsRange_FailsNamingPropertyValueAndRange(bool silo, int days)
    {
        Action<CallDeadlineOptions> set = options => options.LongestBudget = TimeSpan.FromDays(days);
        using var host = silo
            ? TestHosts.Silo(builder => builder.AddCallDeadlines(set))
            : TestHosts.Client(builder => builder.AddCallDeadlines(set));

        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => host.StartAsync(TestContext.Current.CancellationToken));

        Assert.All(
            [
                "CallDeadlineOptions.LongestBudget", TimeSpan.FromDays(days).ToString(),
                "00:00:00.0010000", "49.17:02:47.2940000",
            ],
            told => Assert.Contains(told, error.Message, StringComparison.Ordinal));
    }

    [Fact]
    public void AddCallDeadlines_ArgumentIsNull_Throws()
    {
        Action<CallDeadlineOptions> noAction = null!;
        Action<OptionsBuilder<CallDeadlineOptions>> noBuilderAction = null!;
        TestHosts.SiloServices(silo =>
        {
            Assert.Throws<ArgumentNullException>("configureOptions", () => silo.AddCallDeadlines(noAction));
            Assert.Throws<ArgumentNullException>("configureOptions", () => silo.AddCallDeadlines(noBuilderAction));
        });
        TestHosts.ClientServices(client =>
        {
            Assert.Throws<ArgumentNullException>("configureOptions", () => client.AddCallDeadlines(noAction));
            Assert.Throws<ArgumentNullException>("configureOptions", () => client.AddCallDeadlines(noBuilderAction));
        });
        Assert.Throws<ArgumentNullException>("builder", static () => ((ISiloBuilder)null!).AddCallDeadlines());
        Assert.Throws<ArgumentNullException>("builder", static () => ((IClientBuilder)null!).AddCallDeadlines());
    }

    [Fact]
    public void Counts_AskedForByAListener_AreTold()
    {
        using var counts = new DeadlineCounts("client");
        counts.CountRefusedAsCaller();
        counts.CountRefusedAsCallee();
        counts.CountRefusedAsCallee();
        counts.CountIgnored();
        var told = new Dictionary<(string, object?), long>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == PluginMeter.Name)
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            var key = (instrument.Name, tags[0].Value);
            told[key] = Math.Max(value, told.GetValueOrDefault(key));
        });
        listener.Start();
        listener.RecordObservableInstruments();

        // Other silos and clients of the process may have counted too.
        Assert.True(told[("scalable_timers.deadlines.refused", "caller")] >= 1);
        Assert.True(told[("scalable_timers.deadlines.refused", "callee")] >= 2);
        Assert.True(told[("scalable_timers.deadlines.ignored", "client")] >= 1);
    }

    private static void SetLongest(CallDeadlineOptions options) => options.LongestBudget = s_longest;

    private static void DoNotCount(OptionsBuilder<CallDeadlineOptions> options) =>
        options.Configure(static values => values.CountTimeInQueues = false);
}
