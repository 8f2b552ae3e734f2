using ScalableTimers.Analyzers.Timeouts;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM002.</summary>
public class UndisposedRegistrationTests
{
    [Theory]
    [InlineData("[|timers.GetTimeoutToken(TimeSpan.Zero).Register(() => { })|];")]
    [InlineData("_ = [|token.UnsafeRegister(_ => { }, null)|];")]
    [InlineData("var registration = [|token.Register(() => { })|];")]
    [InlineData("var s = [|CancellationTokenSource.CreateLinkedTokenSource(other, token)|]; s.Cancel();")]
    [InlineData("await work.WaitAsync([|CancellationTokenSource.CreateLinkedTokenSource(token)|].Token);")]
    [InlineData("_ = [|CancellationTokenSource.CreateLinkedTokenSource(other, other, token)|].Token;")]
    [InlineData("using var registration = token.Register(() => { });")]
    [InlineData("await using var registration = token.Register(() => { });")]
    [InlineData("var registration = token.Register(() => { }); registration.Unregister();")]
    [InlineData("_kept = token.Register(() => { });")]
    [InlineData("other.Register(() => { });")]
    [InlineData("using var source = CancellationTokenSource.CreateLinkedTokenSource(other, token);")]
    [InlineData("CancellationTokenSource.CreateLinkedTokenSource(other, other);")]
    public Task Registration_OnlyIfNeverDisposed_IsFound(string statements) =>
        Verify.FindsAsync<UndisposedRegistrationAnalyzer>(
            $$"""
            public class C(TimerService timers)
            {
                private CancellationTokenRegistration _kept;

                public async Task<CancellationTokenRegistration> M(Task work, CancellationToken other)
                {
                    var token = timers.GetTimeoutToken(TimeSpan.Zero);
                    {{statements}}
                    await work;
                    return token.Register(() => { });
                }
            }
            """);
}
