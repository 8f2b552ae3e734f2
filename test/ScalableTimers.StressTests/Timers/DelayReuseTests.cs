using System.Diagnostics;
using ScalableTimers.StressTests.Driving;
using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Timers;

/// <summary>
/// One pooled delay that passes from user to user in microseconds while each user's token is cancelled.
/// </summary>
public class DelayReuseTests
{
    private const string Phase = "reuse";

    /// <remarks>
    /// A cancellation may have found the delay still running, and reach the lock only after the delay has elapsed, has
    /// been read, and was handed to the next user, on the clock's thread. It must not end the next user's delay.
    /// </remarks>
    // Calibrated by not waiting, in DelayEntry.Read, for a cancellation that is running, by calling Unregister instead
    // of Dispose or neither: either change failed within 1,300 to 73,000 uses in 3 of 3 runs in Release on 2 cores.
    [Fact]
    public async Task TryDelay_EntryReusedWhileAnEarlierTokenIsBeingCancelled_IsEndedByItsOwnOnly()
    {
        using var clock = new AcceleratedClock();
        await using var service = new TimerService(
            new ScalableTimerOptions { Resolution = StressTime.Milliseconds(1) }, clock);
        var users = new Users(service, Stress.LastRoundAt(1, 30));
        StressThreads.Run(Phase, 1, _ =>
        {
            Processors.Pin(1);
            users.StartNext();
            CancelAll(users);
        });
        if (users.Fault is not null || service.GetSnapshot().Failed > 0)
        {
            Stress.Fail(Phase, $"{users.Fault}, {service.GetSnapshot()}");
        }
    }

    private static void CancelAll(Users users)
    {
        var random = Stress.NewRandom(0);
        CancelSource? last = null;
        while (!users.IsOver)
        {
            bool HasChanged() => users.IsOver || users.Current != last;
            Stress.WaitUntil(Phase, HasChanged, () => $"use {users.Count} has not ended.", yields: true);

            // A tick is a microsecond of this clock.
            last = users.Current;
            StressThreads.Linger(random.Next(3000));
            last.Cancel();
        }
    }

    /// <summary>
    /// The users of one delay. The end of each user's delay starts the next user, on the thread on which it ends.
    /// </summary>
    private sealed class Users(TimerService service, long lastRoundAt)
    {
        private volatile CancelSource _current = new();

        internal CancelSource Current => _current;

        internal long Count { get; private set; }

        internal bool IsOver { get; private set; }

        internal string? Fault { get; private set; }

        internal void StartNext()
        {
            Count++;
            var source = _current = new CancelSource();
            var task = service.TryDelay(StressTime.Milliseconds(1), source.Token);
            var completions = 0;
            task.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(() =>
            {
                if (Interlocked.Increment(ref completions) > 1)
                {
                    Fault = $"use {Count} was completed again";
                    return;
                }

                End(task.GetAwaiter().GetResult(), source);
            });
        }

        private void End(bool elapsed, CancelSource source)
        {
            if (!elapsed && source.BegunAt > Stopwatch.GetTimestamp())
            {
                Fault = $"use {Count} was cancelled, and nobody had asked for it";
            }

            if (Fault is null && !StressTime.IsOver(lastRoundAt))
            {
                StartNext();
            }
            else
            {
                IsOver = true;
            }
        }
    }
}
