using ScalableTimers.Analyzers.Tests.Verification;
using ScalableTimers.Analyzers.Timeouts;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM004.</summary>
public class UndisposedRegistrationTests
{
    [Fact]
    public Task Registration_NobodyDisposes_IsFound() => Verify.FindsAsync<UndisposedRegistrationAnalyzer>(
        """
        public class C(TimerService timers)
        {
            public void M(CancellationToken other)
            {
                [|timers.GetTimeoutToken(TimeSpan.Zero).Register(() => { })|];
                var token = timers.GetTimeoutToken(TimeSpan.Zero);
                _ = [|token.UnsafeRegister(_ => { }, null)|];
                var registration = [|token.Register(() => { })|];
                var source = [|CancellationTokenSource.CreateLinkedTokenSource(other, token)|];
                source.Cancel();
                M([|CancellationTokenSource.CreateLinkedTokenSource(token)|].Token);
                M([|CancellationTokenSource.CreateLinkedTokenSource(other, other, token)|].Token);
            }
        }
        """);

    [Fact]
    public Task Registration_SomebodyDisposesOrWithAnotherToken_IsNotFound() =>
        Verify.FindsAsync<UndisposedRegistrationAnalyzer>(
            """
            public class C(TimerService timers)
            {
                private CancellationTokenRegistration _kept;

                public async Task<CancellationTokenRegistration> M(CancellationToken other)
                {
                    var token = timers.GetTimeoutToken(TimeSpan.Zero);
                    using var first = token.Register(() => { });
                    await using var second = token.Register(() => { });
                    var third = token.Register(() => { });
                    third.Unregister();
                    _kept = token.Register(() => { });
                    other.Register(() => { });
                    using var source = CancellationTokenSource.CreateLinkedTokenSource(other, token);
                    CancellationTokenSource.CreateLinkedTokenSource(other, other);
                    return token.Register(() => { });
                }
            }
            """);
}
