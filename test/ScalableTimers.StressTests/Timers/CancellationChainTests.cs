namespace ScalableTimers.StressTests.Timers;

/// <summary>
/// Waiters each of which cancels the next one's token when it ends. However long the chain is, it fits on the stack.
/// </summary>
public class CancellationChainTests
{
    private const int Waiters = 10_000;
    private const int StackSize = 512 << 10;

    // Calibrated without the look at the stack in DelayEntry.Complete, and in LeasedTimeout.CancelByCaller: the process
    // ends by a stack overflow.
    [Theory]
    [InlineData("delay")]
    [InlineData("lease")]
    [InlineData("detached delay")]
    [InlineData("delay of the provider")]
    public void Cancel_OfTheFirstToken_EndsAllWaitersInTurn(string kind)
    {
        using var service = Stress.NewService(DriverChoice.Thread);
        using var left = new CountdownEvent(Waiters);
        var thread = new Thread(() => RunChain(service, kind, left), StackSize);
        thread.Start();
        thread.Join();
        Stress.WaitUntil(kind, () => left.IsSet, () => $"{left.CurrentCount} of {Waiters} waiters have not ended.");
    }

    private static void RunChain(TimerService service, string kind, CountdownEvent left)
    {
        var sources = Enumerable.Range(0, Waiters + 1).Select(static _ => new CancellationTokenSource()).ToArray();
        for (var i = 0; i < Waiters; i++)
        {
            var next = sources[i + 1];
            void End()
            {
                next.Cancel();
                left.Signal();
            }

            Wait(service, kind, End, sources[i].Token);
        }

        sources[0].Cancel();
    }

    private static void Wait(TimerService service, string kind, Action end, CancellationToken token)
    {
        var dueTime = TimeSpan.FromHours(1);
        switch (kind)
        {
            case "delay":
                var delay = service.TryDelay(dueTime, token).ConfigureAwait(false).GetAwaiter();
                delay.UnsafeOnCompleted(() =>
                {
                    _ = delay.GetResult();
                    end();
                });
                break;
            case "lease":
                _ = service.RentTimeout(dueTime, token).Token.UnsafeRegister(static end => ((Action)end!)(), end);
                break;
            case "detached delay":
                _ = service.BeginDetachedDelay(dueTime, token).ContinueWith(
                    _ => end(), default, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
                break;
            default:
                Task.Delay(dueTime, service.TimeProvider, token).ConfigureAwait(false).GetAwaiter()
                    .UnsafeOnCompleted(end);
                break;
        }
    }
}
