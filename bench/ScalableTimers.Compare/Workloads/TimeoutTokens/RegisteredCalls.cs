using System.Diagnostics;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.TimeoutTokens;

/// <summary>
/// Registrations with tokens that are about to be cancelled, and when the first and the last of them were called.
/// </summary>
internal sealed class RegisteredCalls(int count)
{
    private readonly TaskCompletionSource _ended = new();
    private long _first;
    private long _last;
    private int _called;

    /// <param name="count">The number of registrations.</param>
    /// <param name="blocks">Whether one in the middle blocks for ten milliseconds.</param>
    /// <param name="createTokens">Returns a token for each registration, and the action that cancels them all.</param>
    internal static Measurement Measure(
        int count, bool blocks, Func<(CancellationToken[] Tokens, Action End)> createTokens)
    {
        var calls = new RegisteredCalls(count);
        var (tokens, end) = createTokens();
        for (var i = 0; i < count; i++)
        {
            tokens[i].UnsafeRegister(
                blocks && i == count / 2 ? static calls =>
                    ((RegisteredCalls)calls!).CallAndBlock() : static calls => ((RegisteredCalls)calls!).Call(),
                calls);
        }

        var before = Usage.Now();
        calls._ended.Task.Wait();
        var after = Usage.Now();
        end();
        var wall = Stopwatch.GetElapsedTime(calls._first, calls._last).TotalNanoseconds;
        return new Measurement
        {
            Compared = wall,
            WallNanoseconds = wall,
            CpuNanoseconds = (after.Processor - before.Processor).TotalNanoseconds,
        };
    }

    private void CallAndBlock()
    {
        Call();
        Thread.Sleep(10);
    }

    private void Call()
    {
        var called = Interlocked.Increment(ref _called);
        if (called == 1)
        {
            _first = Stopwatch.GetTimestamp();
        }

        if (called == count)
        {
            _last = Stopwatch.GetTimestamp();
            _ended.SetResult();
        }
    }
}
