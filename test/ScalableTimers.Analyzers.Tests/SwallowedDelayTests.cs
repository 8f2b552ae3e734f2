using ScalableTimers.Analyzers.Delays;
using ScalableTimers.Analyzers.Tests.Verification;
using ScalableTimers.CodeFixes;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM007.</summary>
public class SwallowedDelayTests
{
    [Fact]
    public Task Delay_WhoseCancellationIsNotOnlySwallowed_IsNotFound() => Verify.FindsAsync<SwallowedDelayAnalyzer>(
        """
        public class C(TimerService timers)
        {
            public async Task M(CancellationToken token, CancellationToken other)
            {
                try { await Task.Delay(1); } catch (OperationCanceledException) { }
                try { await Task.Delay(1, token); } catch (Exception) { }
                try { await Task.Delay(1, token); } catch { }
                try { await Task.Delay(1, token); } catch (OperationCanceledException) { } finally { Log(); }
                try { await Task.Delay(1, token); } catch (OperationCanceledException) { Log(); }
                try { await Task.Delay(1, token); Log(); } catch (OperationCanceledException) { }
                try { await Task.Delay(1, token); }
                catch (OperationCanceledException) when (other.IsCancellationRequested) { }
                try { await Task.Delay(1, token); } catch (OperationCanceledException) { throw; }
                try { await Task.Delay(TimeSpan.Zero, TimeProvider.System, token); }
                catch (OperationCanceledException) { }
            }

            private void Log() => timers.GetSnapshot();
        }

        public class NoService
        {
            public async Task M(CancellationToken token)
            {
                try { await Task.Delay(1, token); } catch (OperationCanceledException) { }
            }
        }
        """);

    [Fact]
    public Task Fix_Swallowed_UsesTryDelay() => Verify.FixesAsync<SwallowedDelayAnalyzer, SwallowedDelayFix>(
        """
        public class C(TimerService timers)
        {
            public async Task M(CancellationToken token)
            {
                // A comment.
                try
                {
                    await [|Task.Delay(1, token)|];
                }
                catch (OperationCanceledException)
                {
                }

                while (!token.IsCancellationRequested)
                {
                    try
                    {
                        await [|timers.Delay(TimeSpan.FromSeconds(1), token)|].ConfigureAwait(false);
                    }
                    catch (TaskCanceledException) when (token.IsCancellationRequested)
                    {
                        break;
                    }
                }
            }
        }

        public class D
        {
            public async Task<int> M(TimerService service, CancellationToken token)
            {
                try
                {
                    await [|Task.Delay(TimeSpan.FromSeconds(1), service.TimeProvider, token)|];
                }
                catch (OperationCanceledException)
                {
                    // Kept.
                    return 1;
                }

                return 0;
            }
        }
        """,
        """
        public class C(TimerService timers)
        {
            public async Task M(CancellationToken token)
            {
                // A comment.
                await timers.TryDelay(TimeSpan.FromMilliseconds(1), token);

                while (!token.IsCancellationRequested)
                {
                    if (!await timers.TryDelay(TimeSpan.FromSeconds(1), token).ConfigureAwait(false))
                    {
                        break;
                    }
                }
            }
        }

        public class D
        {
            public async Task<int> M(TimerService service, CancellationToken token)
            {
                if (!await service.TryDelay(TimeSpan.FromSeconds(1), token))
                {
                    // Kept.
                    return 1;
                }

                return 0;
            }
        }
        """);

    [Fact]
    public Task Fix_CommentThatWouldBeLost_ThereIsNone() =>
        Verify.HasNoFixAsync<SwallowedDelayAnalyzer, SwallowedDelayFix>(
            """
            public class C(TimerService timers)
            {
                public async Task M(CancellationToken token)
                {
                    try
                    {
                        await [|timers.Delay(TimeSpan.FromSeconds(1), token)|];
                    }
                    catch (OperationCanceledException)
                    {
                        // The next round asks the token.
                    }
                }
            }
            """);

    [Fact]
    public Task Fix_CommentOrDirectiveInATryThatLeaves_ThereIsNone() =>
        Verify.HasNoFixAsync<SwallowedDelayAnalyzer, SwallowedDelayFix>(
            """
            public class C(TimerService timers)
            {
                public async Task M(CancellationToken token)
                {
                    try
                    {
                        // The server asks for a second.
                        await [|timers.Delay(TimeSpan.FromSeconds(1), token)|];
                    }
                    catch (OperationCanceledException)
                    {
                        return;
                    }

                    try
                    {
            #if DEBUG
            #endif
                        await [|timers.Delay(TimeSpan.FromSeconds(1), token)|];
                    }
                    catch (OperationCanceledException)
                    {
                    }
                }
            }
            """);

    [Fact]
    public Task Fix_TryBeforeAnElse_KeepsTheElse() => Verify.FixesAsync<SwallowedDelayAnalyzer, SwallowedDelayFix>(
        """
        public class C(TimerService timers)
        {
            public async Task M(bool isSlow, CancellationToken token)
            {
                if (isSlow)
                    try { await [|timers.Delay(TimeSpan.Zero, token)|]; } catch (OperationCanceledException) { return; }
                else
                    Console.WriteLine();
            }
        }
        """,
        """
        public class C(TimerService timers)
        {
            public async Task M(bool isSlow, CancellationToken token)
            {
                if (isSlow)
                {
                    if (!await timers.TryDelay(TimeSpan.Zero, token))
                    { return; }
                }
                else
                    Console.WriteLine();
            }
        }
        """);

    [Fact]
    public Task Delay_WhoseArgumentsAreAwaited_IsNotFound() => Verify.FindsAsync<SwallowedDelayAnalyzer>(
        """
        public class C(TimerService timers)
        {
            public async Task M(Func<CancellationToken, Task<TimeSpan>> next, CancellationToken token)
            {
                try
                {
                    await timers.Delay(await next(token), token);
                }
                catch (OperationCanceledException)
                {
                }
            }
        }
        """);
}
