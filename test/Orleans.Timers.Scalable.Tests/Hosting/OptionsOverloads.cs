using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public static class OptionsOverloads
{
    /// <summary>All combinations of an overload and an option that has a range.</summary>
    public static MatrixTheoryData<OptionsOverload, string> WithEachOption { get; } = new(
        Enum.GetValues<OptionsOverload>(),
        [
            nameof(ScalableTimerOptions.Resolution),
            nameof(ScalableTimerOptions.Driver),
            nameof(ScalableTimerOptions.TimeoutTokenBucket),
        ]);

    internal static ISiloBuilder AddScalableTimers(
        this ISiloBuilder silo, OptionsOverload overload, Action<ScalableTimerOptions> set) =>
        overload switch
        {
            OptionsOverload.None => silo.AddScalableTimers().Configure(set),
            OptionsOverload.Action => silo.AddScalableTimers(set),
            _ => silo.AddScalableTimers((OptionsBuilder<ScalableTimerOptions> options) => options.Configure(set)),
        };

    internal static IClientBuilder AddScalableTimers(
        this IClientBuilder client, OptionsOverload overload, Action<ScalableTimerOptions> set) =>
        overload switch
        {
            OptionsOverload.None => client.AddScalableTimers().Configure(set),
            OptionsOverload.Action => client.AddScalableTimers(set),
            _ => client.AddScalableTimers((OptionsBuilder<ScalableTimerOptions> options) => options.Configure(set)),
        };
}
