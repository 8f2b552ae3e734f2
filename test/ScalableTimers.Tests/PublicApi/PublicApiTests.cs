using System.Reflection;
using ScalableTimers.Testing;

namespace ScalableTimers.Tests.PublicApi;

/// <summary>
/// What the packages offer is what the golden files beside the tests say. A change of them is a decision, seen in
/// review.
/// </summary>
public class PublicApiTests
{
    [Fact]
    public void ScalableTimers_IsAsAgreed() =>
        PublicApiBaseline.AssertAgreed(typeof(TimerService).Assembly, "ScalableTimers.Tests");

    [Fact]
    public void ScalableTimersTesting_IsAsAgreed() =>
        PublicApiBaseline.AssertAgreed(typeof(ManualTimeProvider).Assembly, "ScalableTimers.Tests");

    [Fact]
    public void Core_NamesOfTheContract_AreThere()
    {
        // DESIGN, section 4. The golden file may grow; these stay.
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
