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
timers.Schedule(static fired => ((TaskCompletionSource)fired!).SetResult(), fired, moment);
await fired.Task;
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
