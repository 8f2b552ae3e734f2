using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P11: code after a cancelled delay does not run inside <c>Cancel</c>, as with <c>Task.Delay</c>. It may need what the
/// canceller holds, or what the canceller has yet to do.
/// </summary>
public sealed class P11_NoWorseThanWhatItReplacesTests_Cancellation : IDisposable
{
    private const string Control = "Task.Delay";

    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly TimerService _inVirtualTime;
    private readonly TimerService _onSystemClock = new();

    public P11_NoWorseThanWhatItReplacesTests_Cancellation() =>
        _inVirtualTime = new TimerService(new(), clock: _clock);

    /// <summary>What waits, and what kind of token ends the wait.</summary>
    public static MatrixTheoryData<string, string> Cases { get; } = new(
        [Control, "over TimeProvider", "Delay", "without a context", "TryDelay"], ["source", "linked", "timeout"]);

    public void Dispose()
    {
        _inVirtualTime.Dispose();
        _onSystemClock.Dispose();
    }

    // Failed before with Delay and TryDelay: the code after the wait ran inside Cancel, with the canceller's lock held.
    [Theory]
    [MemberData(nameof(Cases))]
    public void Cancel_UnderALock_CodeAfterTheWaitRunsWithoutIt(string wait, string token)
    {
        var gate = new object();
        var isHeld = false;
        using var resumed = new ManualResetEventSlim();
        using var canceller = new Canceller(this, wait, token);
        Begin(wait, canceller, () =>
        {
            isHeld = Monitor.IsEntered(gate);
            resumed.Set();
        });

        lock (gate)
        {
            canceller.Cancel();
        }

        Wait.For(resumed, "the code after the wait");
        Assert.False(isHeld);
    }

    // Failed before with Delay and TryDelay: it waited for ever, because Cancel, which it held up, would have called
    // the other registration.
    [Theory]
    [MemberData(nameof(Cases))]
    public void Cancel_CodeAfterTheWaitWaitsForAnotherRegistration_BothRun(string wait, string token)
    {
        using var called = new ManualResetEventSlim();
        using var resumed = new ManualResetEventSlim();
        using var canceller = new Canceller(this, wait, token);
        using var before = canceller.Token.UnsafeRegister(_ => called.Set(), null);
        Begin(wait, canceller, () =>
        {
            Wait.For(called, "the other registration");
            resumed.Set();
        });

        Wait.ForThread(canceller.Cancel);

        Wait.For(resumed, "the code after the wait");
    }

    // Failed before with Delay and TryDelay: Cancel did not return before the code after the wait did.
    [Theory]
    [MemberData(nameof(Cases))]
    public void Cancel_CodeAfterTheWaitBlocks_Returns(string wait, string token)
    {
        using var release = new ManualResetEventSlim();
        using var ended = new ManualResetEventSlim();
        using var canceller = new Canceller(this, wait, token);
        Begin(wait, canceller, () =>
        {
            Wait.For(release, "the return of Cancel");
            ended.Set();
        });

        Wait.ForThread(canceller.Cancel);

        release.Set();
        Wait.For(ended, "the code after the wait");
    }

    // Failed before with Delay and TryDelay, in the case in which the wait that is cancelled first waits for the other.
    [Theory]
    [MemberData(nameof(Cases))]
    public void Cancel_CodeAfterOneWaitWaitsForThatAfterAnother_BothRun(string wait, string token)
    {
        foreach (var isFirstToWait in (bool[])[false, true])
        {
            using var one = new ManualResetEventSlim();
            using var other = new CountdownEvent(2);
            using var canceller = new Canceller(this, wait, token);
            for (var i = 0; i < 2; i++)
            {
                var waits = i == 0 == isFirstToWait;
                Begin(wait, canceller, () =>
                {
                    if (waits)
                    {
                        Wait.For(one, "the code after the other wait");
                    }
                    else
                    {
                        one.Set();
                    }

                    other.Signal();
                });
            }

            Wait.ForThread(canceller.Cancel);

            Wait.For(other, "the code after both waits");
        }
    }

    /// <summary>Starts code that waits until it is cancelled, on a thread without a context.</summary>
    private static void Begin(string wait, Canceller canceller, Action then) => Wait.ForThread(() =>
    {
        var run = Run(wait, canceller, then);
        Assert.False(run.IsCompleted);
    });

    private static async Task Run(string wait, Canceller canceller, Action then)
    {
        var (timers, token) = (canceller.Timers, canceller.Token);
        try
        {
            switch (wait)
            {
                case Control:
                    await Task.Delay(s_hour, token);
                    break;
                case "over TimeProvider":
                    await Task.Delay(s_hour, timers.TimeProvider, token);
                    break;
                case "Delay":
                    await timers.Delay(s_hour, token);
                    break;
                case "without a context":
                    await timers.Delay(s_hour, token).ConfigureAwait(false);
                    break;
                default:
                    Assert.False(await timers.TryDelay(s_hour, token));
                    break;
            }
        }
        catch (OperationCanceledException exception)
        {
            Assert.Equal(token, exception.CancellationToken);
        }

        then();
    }

    /// <summary>A token and what cancels it. A timeout is cancelled by whoever advances its clock.</summary>
    private sealed class Canceller : IDisposable
    {
        private readonly CancellationTokenSource _source = new();
        private readonly CancellationTokenSource _linked;

        public Canceller(P11_NoWorseThanWhatItReplacesTests_Cancellation test, string wait, string token)
        {
            Timers = token == "timeout" ? test._inVirtualTime : test._onSystemClock;
            _linked = CancellationTokenSource.CreateLinkedTokenSource(_source.Token);
            Cancel = _source.Cancel;
            Token = token == "linked" ? _linked.Token : _source.Token;
            if (token == "timeout")
            {
                // The control has a timeout of .NET's own, of the same clock.
                Cancel = () => test._clock.Advance(2 * s_second);
                Token = wait == Control
                    ? new CancellationTokenSource(s_second, test._clock).Token
                    : Timers.GetTimeoutToken(s_second);
            }
        }

        internal TimerService Timers { get; }

        internal CancellationToken Token { get; }

        internal Action Cancel { get; }

        public void Dispose()
        {
            _linked.Dispose();
            _source.Dispose();
        }
    }
}
