using ScalableTimers.Analyzers.Tests.Verification;
using ScalableTimers.Analyzers.Timeouts;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM002 and STM003.</summary>
public class LeaseTests
{
    [Theory]
    [InlineData("[|timers.RentTimeout(TimeSpan.Zero)|];")]
    [InlineData("_ = [|timers.RentTimeout(TimeSpan.Zero)|];")]
    [InlineData("await work.WaitAsync([|timers.RentTimeout(TimeSpan.Zero)|].Token);")]
    [InlineData("var lease = [|timers.RentTimeout(TimeSpan.Zero)|]; await work.WaitAsync(lease.Token);")]
    [InlineData("using var lease = timers.RentTimeout(TimeSpan.Zero);")]
    [InlineData("using (var lease = timers.RentTimeout(TimeSpan.Zero)) { }")]
    [InlineData("using (timers.RentTimeout(TimeSpan.Zero)) { }")]
    [InlineData("var lease = timers.RentTimeout(TimeSpan.Zero); try { } finally { lease.Dispose(); }")]
    [InlineData("var lease = timers.RentTimeout(TimeSpan.Zero); using (lease) { }")]
    [InlineData("_lease = timers.RentTimeout(TimeSpan.Zero);")]
    [InlineData("Keep(timers.RentTimeout(TimeSpan.Zero));")]
    [InlineData("var lease = timers.RentTimeout(TimeSpan.Zero); Keep(lease);")]
    public Task Lease_OnlyIfNobodyCanDispose_IsFound(string statements) => Verify.FindsAsync<UndisposedLeaseAnalyzer>(
        $$"""
        public class C(TimerService timers)
        {
            private TimeoutLease _lease;

            public async Task M(Task work)
            {
                {{statements}}
                await work;
            }

            public TimeoutLease Rent() => timers.RentTimeout(TimeSpan.Zero);

            private void Keep(TimeoutLease lease) => _lease = lease;
        }
        """);

    [Fact]
    public Task Token_ThatOutlivesItsLease_IsFound() => Verify.FindsAsync<OutlivedLeaseAnalyzer>(
        """
        public class C(TimerService timers)
        {
            private CancellationToken _token;
            private Task? _task;

            public CancellationToken Returned()
            {
                using var lease = timers.RentTimeout(TimeSpan.Zero);
                return [|lease.Token|];
            }

            public Task ReturnedTask(Task work)
            {
                using var lease = timers.RentTimeout(TimeSpan.Zero);
                return work.WaitAsync([|lease.Token|]);
            }

            public void Stored(Task work)
            {
                using var lease = timers.RentTimeout(TimeSpan.Zero);
                _token = [|lease.Token|];
                _task = work.WaitAsync([|lease.Token|]);
                _ = work.WaitAsync([|lease.Token|]);
                work.WaitAsync([|lease.Token|]);
            }

            public Task ByALocal(Task work)
            {
                using (var lease = timers.RentTimeout(TimeSpan.Zero))
                {
                    var token = lease.Token;
                    return work.WaitAsync([|token|]);
                }
            }
        }
        """);

    [Fact]
    public Task Token_UsedWhileTheLeaseIs_IsNotFound() => Verify.FindsAsync<OutlivedLeaseAnalyzer>(
        """
        public class C(TimerService timers)
        {
            public async Task<bool> M(Task work)
            {
                using var lease = timers.RentTimeout(TimeSpan.Zero);
                await work.WaitAsync(lease.Token);
                var task = work.WaitAsync(lease.Token);
                await task;
                await Task.WhenAll(work.WaitAsync(lease.Token), work);
                await Repeat(() => work.WaitAsync(lease.Token));
                return lease.Token.IsCancellationRequested;
            }

            private static Task Repeat(Func<Task> work) => work();

            public Task NotOfTheBlock(Task work, TimeoutLease lease) => work.WaitAsync(lease.Token);
        }
        """);

    [Fact]
    public Task Token_InOptionsOfAnAwaitedCall_IsNotFound() => Verify.FindsAsync<OutlivedLeaseAnalyzer>(
        """
        public class C(TimerService timers)
        {
            private ParallelOptions? _options;

            public async Task M(int[] items)
            {
                using var lease = timers.RentTimeout(TimeSpan.FromSeconds(1));
                await Parallel.ForEachAsync(
                    items, new ParallelOptions { CancellationToken = lease.Token }, (item, token) => default);
                var options = new ParallelOptions { CancellationToken = lease.Token };
                Parallel.ForEach(items, options, item => { });
                _options = new ParallelOptions { CancellationToken = [|lease.Token|] };
            }

            public ParallelOptions N()
            {
                using var lease = timers.RentTimeout(TimeSpan.FromSeconds(1));
                return new() { CancellationToken = [|lease.Token|] };
            }
        }
        """);
}
