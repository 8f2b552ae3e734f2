using System.Runtime.CompilerServices;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>
/// The timer services of silos and clients whose <see cref="OrleansTimerOptions.Enabled"/> is false. There, what the
/// plugin adds to Orleans waits on .NET's timers.
/// </summary>
internal static class TurnedOff
{
    private static readonly ConditionalWeakTable<TimerService, object> s_services = [];

    internal static void Add(TimerService service) => s_services.AddOrUpdate(service, s_services);

    internal static bool Contains(TimerService service) => s_services.TryGetValue(service, out _);
}
