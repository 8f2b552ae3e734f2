using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using ScalableTimers.HealthChecks;
using ScalableTimers.OpenTelemetry;

namespace ScalableTimers.Tests.Documentation;

/// <summary>The code of <c>docs/operating.md</c>.</summary>
internal static class OperatingSnippets
{
    internal static void AddHealthChecks(HostApplicationBuilder builder)
    {
        builder.Services.AddScalableTimers();
        builder.Services.AddHealthChecks().AddScalableTimers();
    }

    internal static void Collect(HostApplicationBuilder builder)
    {
        builder.Services.AddOpenTelemetry()
            .WithMetrics(static metrics => metrics.AddScalableTimersInstrumentation())
            .WithTracing(static tracing => tracing.AddScalableTimersInstrumentation());
    }
}
