namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>The service with <see cref="FiringMode.DriverThread"/>, and its name.</summary>
internal static class OnDriverThread
{
    internal const string Schedule = "Schedule, driver thread";
    internal const string Delay = "Delay, driver thread";

    internal static TimerService NewService() => new(new ScalableTimerOptions { Firing = FiringMode.DriverThread });
}
