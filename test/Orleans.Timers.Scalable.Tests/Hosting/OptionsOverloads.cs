using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public static class OptionsOverloads
{
    /// <summary>Every overload with every option that has a range.</summary>
    public static MatrixTheoryData<OptionsOverload, string> WithEachOption { get; } = new(
        Enum.GetValues<OptionsOverload>(),
        [nameof(ScalableTimerOptions.Resolution), nameof(ScalableTimerOptions.Driver), nameof(ScalableTimerOptions.TimeoutTokenBucket)]);

    internal static ISiloBuilder AddScalableTimers(this ISiloBuilder silo, OptionsOverload overload, Action<ScalableTimerOptions> configure) => overload switch
    {
        OptionsOverload.None => silo.AddScalableTimers().Configure(configure),
        OptionsOverload.Action => silo.AddScalableTimers(configure),
        _ => silo.AddScalableTimers((OptionsBuilder<ScalableTimerOptions> options) => options.Configure(configure)),
    };

    internal static IClientBuilder AddScalableTimers(this IClientBuilder client, OptionsOverload overload, Action<ScalableTimerOptions> configure) => overload switch
    {
        OptionsOverload.None => client.AddScalableTimers().Configure(configure),
        OptionsOverload.Action => client.AddScalableTimers(configure),
        _ => client.AddScalableTimers((OptionsBuilder<ScalableTimerOptions> options) => options.Configure(configure)),
    };
}
