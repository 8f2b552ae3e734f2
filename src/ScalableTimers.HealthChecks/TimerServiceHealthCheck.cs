using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ScalableTimers.HealthChecks;

/// <summary>Checks how late a timer of the service fires now, and what has happened since the last check.</summary>
internal sealed class TimerServiceHealthCheck(TimerService timers, TimerHealthOptions options) : IHealthCheck
{
    private long _late;

    public async Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var (lateness, end) = await MeasureLateness(cancellationToken).ConfigureAwait(false);
        var figures = timers.GetSnapshot();

        // Checks may overlap. Only one of them reports each late timer.
        var late = Math.Max(0, figures.Late - Interlocked.Exchange(ref _late, figures.Late));
        var (status, description) = lateness switch
        {
            null => (context.Registration.FailureStatus, $"The timer service has been {end}."),
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
        });
    }

    /// <summary>
    /// Returns how late a timer is now: the maximum value if it does not fire, or null, with a word for how it ended,
    /// if the service has ended.
    /// </summary>
    private async Task<(TimeSpan? Lateness, string? End)> MeasureLateness(CancellationToken cancellationToken)
    {
        var clock = timers.Clock;
        var dueTime = clock.Resolution;

        // A timer expires at the end of the tick in which it is due.
        var deadline = clock.DeadlineTick(clock.DueAt(dueTime));
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            // The wait must end even if the service does not fire, so .NET's own timers limit it.
            await timers.Delay(dueTime, ending.Token).AsTask()
                .WaitAsync((2 * dueTime) + options.UnhealthyLateness, TimeProvider.System, cancellationToken)
                .ConfigureAwait(false);
            return (clock.ToTimeSpan(clock.ElapsedSince(deadline, clock.Now())), null);
        }
        catch (TimeoutException)
        {
            return (TimeSpan.MaxValue, null);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return (null, "stopped");
        }
        catch (ObjectDisposedException)
        {
            return (null, "disposed");
        }
        finally
        {
            await ending.CancelAsync().ConfigureAwait(false);
        }
    }
}
