using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ScalableTimers.HealthChecks;

/// <summary>Measures how late a timer of the service is now, and what has happened since the last check.</summary>
internal sealed class TimerServiceHealthCheck(TimerService timers, TimerHealthOptions options) : IHealthCheck
{
    private long _late;

    public async Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var lateness = await MeasureLateness(cancellationToken).ConfigureAwait(false);
        var figures = timers.GetSnapshot();

        // Checks may overlap. Each timer that was late is told of by one of them.
        var late = Math.Max(0, figures.Late - Interlocked.Exchange(ref _late, figures.Late));
        var (status, description) = lateness switch
        {
            null => (context.Registration.FailureStatus, "The timer service has been disposed."),
            _ when lateness > options.UnhealthyLateness => (
                context.Registration.FailureStatus,
                $"A timer has not fired {options.UnhealthyLateness} after it was due."),
            _ when lateness > options.DegradedLateness => (
                HealthStatus.Degraded, $"A timer fired {lateness} after it was due."),
            _ when late > 0 => (
                HealthStatus.Degraded,
                $"{late} timers have waited half a second or longer for a pool thread since the last check."),
            _ => (HealthStatus.Healthy, "Timers fire on time."),
        };
        return new HealthCheckResult(status, description, data: new Dictionary<string, object>
        {
            ["lateness"] = lateness is { } known && known < TimeSpan.MaxValue ? known : options.UnhealthyLateness,
            ["late"] = late,
            ["pending"] = figures.Pending,
            ["dropped"] = figures.Dropped,
            ["longest_driver_lag"] = figures.LongestDriverLag,
            ["longest_pool_wait"] = figures.LongestPoolWait,
        });
    }

    /// <summary>
    /// Returns how late a timer is now: the greatest value if it does not fire, and null if the service has been
    /// disposed.
    /// </summary>
    private async Task<TimeSpan?> MeasureLateness(CancellationToken cancellationToken)
    {
        var clock = timers.TimeProvider;
        var dueTime = timers.Clock.Resolution;
        var start = clock.GetTimestamp();
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            // The wait must end even if the service does not fire, so .NET's own timers limit it.
            await timers.Delay(dueTime, ending.Token).AsTask()
                .WaitAsync(dueTime + options.UnhealthyLateness, TimeProvider.System, cancellationToken)
                .ConfigureAwait(false);
            return clock.GetElapsedTime(start) - dueTime;
        }
        catch (TimeoutException)
        {
            return TimeSpan.MaxValue;
        }
        catch (ObjectDisposedException)
        {
            return null;
        }
        finally
        {
            await ending.CancelAsync().ConfigureAwait(false);
        }
    }
}
