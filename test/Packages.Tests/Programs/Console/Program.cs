using ScalableTimers;

// Each kind of timer once. It is also compiled ahead of time.
await using var timers = new TimerService();
var moment = TimeSpan.FromMilliseconds(20);
var hour = TimeSpan.FromHours(1);

var begun = TimeProvider.System.GetTimestamp();
await timers.Delay(moment);
Check("a delay is not early", TimeProvider.System.GetElapsedTime(begun) >= moment);
await Task.Delay(moment, timers.TimeProvider);

var fired = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
timers.Schedule(static fired => fired.SetResult(), fired, moment);
await fired.Task;
fired = new(TaskCreationOptions.RunContinuationsAsynchronously);
timers.Schedule(Typed.Set<string>, fired, moment);
await fired.Task;
using (var source = new CancellationTokenSource())
using (timers.CancelAfter(source, moment))
{
    Check("a source has a timeout", !await timers.TryDelay(hour, source.Token));
}

using (var business = new TimerService(new(), new BusinessClock()))
{
    Check("a clock without timers leaves time to the system", !business.GetSnapshot().IsVirtualTime);
    await business.Delay(moment);
}

Check("a timeout is cancelled", timers.Schedule(static _ => { }, null, hour).Cancel());

Check("a shared token ends a delay", !await timers.TryDelay(hour, timers.GetTimeoutToken(moment)));

using (var periodic = new PeriodicTimer(moment, timers.TimeProvider))
{
    Check("a periodic timer ticks", await periodic.WaitForNextTickAsync());
}

using var statistics = new OperationStatistics("orders");
statistics.Add(statistics.Register("Load"), moment);
Check("statistics have a row", statistics.GetSnapshot().Count == 1);

Check("nothing has failed", timers.GetSnapshot().Failed == 0);
Console.WriteLine("All timers work.");

static void Check(string what, bool isSo)
{
    if (!isSo)
    {
        throw new InvalidOperationException($"It is not so: {what}.");
    }
}

internal static class Typed
{
    internal static void Set<T>(TaskCompletionSource fired) => fired.SetResult();
}

internal sealed class BusinessClock : TimeProvider
{
    public override DateTimeOffset GetUtcNow() => base.GetUtcNow().AddDays(1);
}
