using Microsoft.Extensions.Logging.Testing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests;

/// <summary>A test that advances a clock, and a service that runs by that clock.</summary>
public abstract class InVirtualTime : IDisposable
{
    private protected InVirtualTime(bool logs = false) =>
        Service = logs ? new TimerService(Services.LogsExceptions, Logger, Clock) : new TimerService(new(), Clock);

    private protected ManualTimeProvider Clock { get; } = new();

    /// <summary>What the service logs, if anything.</summary>
    private protected FakeLogger<TimerService> Logger { get; } = new();

    private protected TimerService Service { get; }

    public void Dispose()
    {
        Service.Dispose();
        GC.SuppressFinalize(this);
    }
}
