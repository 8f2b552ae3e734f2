using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

namespace ScalableTimers.OpenTelemetry;

/// <summary>Collects with OpenTelemetry what the libraries publish.</summary>
/// <remarks>
/// <b>Cost.</b> None of its own. Most instruments are read when they are collected. Those of single events (ticks of
/// grain timers, calls, phases of transactions) are recorded while they are collected.
/// </remarks>
public static class ScalableTimersInstrumentationExtensions
{
    // The names are written out, so that this package depends on neither library. A test compares them.
    private static readonly string[] s_meters =
        ["ScalableTimers", "ScalableTimers.Operations", "Orleans.Timers.Scalable"];
    private static readonly string[] s_sources = ["Microsoft.Orleans.Runtime", "Microsoft.Orleans.Application"];

    /// <summary>
    /// Collects the meters of <c>TimerService</c>, of <c>OperationStatistics</c> and of <c>Orleans.Timers.Scalable</c>.
    /// </summary>
    /// <param name="builder">The provider that is being built.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static MeterProviderBuilder AddScalableTimersInstrumentation(this MeterProviderBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddMeter(s_meters);
    }

    /// <summary>
    /// Collects the spans of Orleans' calls, to which <c>AddCallDiagnostics</c> adds an event for each timeout.
    /// </summary>
    /// <param name="builder">The provider that is being built.</param>
    /// <returns><paramref name="builder"/>.</returns>
    /// <remarks>The silo or client must also call Orleans' own <c>AddActivityPropagation</c>.</remarks>
    public static TracerProviderBuilder AddScalableTimersInstrumentation(this TracerProviderBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddSource(s_sources);
    }
}
