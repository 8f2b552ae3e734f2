using System.Reflection;
using ScalableTimers.HealthChecks;
using ScalableTimers.OpenTelemetry;
using ScalableTimers.Testing;

namespace ScalableTimers.Tests.PublicApi;

/// <summary>
/// The public API of the packages is the one in the golden files beside the tests. A change of them is a decision that
/// reviewers see.
/// </summary>
public class PublicApiTests
{
    [Fact]
    public void ScalableTimers_IsAsAgreed() =>
        PublicApiBaseline.AssertAgreed(typeof(TimerService).Assembly, "ScalableTimers.Tests");

    [Fact]
    public void ScalableTimersHealthChecks_IsAsAgreed() =>
        PublicApiBaseline.AssertAgreed(typeof(TimerHealthOptions).Assembly, "ScalableTimers.Tests");

    [Fact]
    public void ScalableTimersOpenTelemetry_IsAsAgreed() =>
        PublicApiBaseline.AssertAgreed(
            typeof(ScalableTimersInstrumentationExtensions).Assembly, "ScalableTimers.Tests");

    [Fact]
    public void ScalableTimersTesting_IsAsAgreed() =>
        PublicApiBaseline.AssertAgreed(typeof(ManualTimeProvider).Assembly, "ScalableTimers.Tests");

    [Fact]
    public void Core_NamesOfTheContract_AreThere()
    {
        // These members are promised by the design, section 4. The golden file may grow, but these stay.
        var methods = typeof(TimerService)
            .GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)
            .Select(static method => method.Name)
            .ToHashSet();
        Assert.Superset(
            new HashSet<string>
            {
                "Delay",
                "TryDelay",
                "Schedule",
                "GetTimeoutToken",
                "StopAsync",
                "GetSnapshot",
                "Dispose",
                "DisposeAsync",
            },
            methods);
        Assert.Equal(
            typeof(TimeProvider), typeof(TimerService).GetProperty(nameof(TimerService.TimeProvider))!.PropertyType);
        Assert.Equal(typeof(bool), typeof(ScheduledTimer).GetMethod(nameof(ScheduledTimer.Cancel))!.ReturnType);
        Assert.Equal(typeof(bool), typeof(ScheduledTimer).GetMethod(nameof(ScheduledTimer.Reschedule))!.ReturnType);
        Assert.True(typeof(ScheduledTimer).IsValueType);
    }
}
