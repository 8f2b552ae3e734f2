using ScalableTimers.Analyzers.Tests.Verification;
using ScalableTimers.Analyzers.Transactions;
using ScalableTimers.CodeFixes;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM004 and STM005.</summary>
public class InTransactionTests
{
    private const string Interfaces =
        """
        public interface IBank : IGrain
        {
            [Transaction(TransactionOption.Create)]
            Task Transfer(int amount);

            [Transaction(TransactionOptionAlias.Mandatory)]
            Task Join(int amount);

            [TransactionWithDeadline(TransactionOption.CreateOrJoin, "00:00:01")]
            Task Bounded(int amount);

            [Transaction(TransactionOption.Suppress)]
            Task Suppress(int amount);

            [Transaction(TransactionOptionAlias.Suppress)]
            Task SuppressAlias(int amount);

            [Transaction(TransactionOption.NotAllowed)]
            Task NotAllowed(int amount);

            Task Plain(int amount);
        }

        """;

    [Fact]
    public Task Delay_InAMethodOfATransaction_IsFound() => Verify.FindsAsync<DelayInTransactionAnalyzer>(
        Interfaces +
        """
        public class Bank : Grain, IBank
        {
            public virtual Task Transfer(int amount) => [|Task.Delay(amount)|];
            Task IBank.Join(int amount)
            {
                [|Thread.Sleep(amount)|];
                using var timer = [|new PeriodicTimer(TimeSpan.FromSeconds(1))|];
                using var other = [|new Timer(_ => { })|];
                return Task.CompletedTask;
            }
            public Task Bounded(int amount) => [|Task.Delay(Timeout.Infinite)|];
            public Task Suppress(int amount) => Task.Delay(amount);
            public Task SuppressAlias(int amount) => Task.Delay(amount);
            public Task NotAllowed(int amount) => Task.Delay(amount);
            public Task Plain(int amount) => Task.Delay(amount);
            public Task Join(int amount) => Task.Delay(amount);
            public Task Transfer(string amount) => Task.Delay(1);
        }

        public class Derived : Bank
        {
            public override async Task Transfer(int amount)
            {
                await Inner();
                async Task Inner() => await [|Task.Delay(amount)|];
            }
        }
        """);

    [Fact]
    public Task Delay_InAFunctionOfATransaction_IsFound() => Verify.FindsAsync<DelayInTransactionAnalyzer>(
        """
        public class State;

        public class C(ITransactionClient client, ITransactionalState<State> state)
        {
            public async Task M(CancellationToken token)
            {
                await client.RunTransaction(TransactionOption.Create, async () =>
                {
                    await [|Task.Delay(1)|];
                    await Task.Delay(-1, token);
                    await Task.WhenAll(new[] { 1, 2 }.Select(async i => await [|Task.Delay(i)|]));
                });
                await state.PerformRead(value =>
                {
                    [|Thread.Sleep(1)|];
                    return 0;
                });
                await state.PerformUpdate(value => [|Thread.Sleep(1)|]);
                await Task.Delay(1);
            }
        }
        """.Replace("Select(", "Select<int, Task>(", StringComparison.Ordinal).Insert(0, "using System.Linq;\n"));

    [Fact]
    public Task Fix_DelayInAGrain_UsesTheGrainsDelay() => Verify.FixesAsync<DelayInTransactionAnalyzer, DelayFix>(
        """
        public interface IBank : IGrain
        {
            [Transaction(TransactionOption.Create)]
            Task Transfer();
        }

        public sealed class Bank : Grain, IBank
        {
            public async Task Transfer()
            {
                await [|Task.Delay(1)|];
                using var timer = [|new PeriodicTimer(TimeSpan.FromSeconds(1))|];
                await timer.WaitForNextTickAsync();
            }
        }
        """,
        """
        public interface IBank : IGrain
        {
            [Transaction(TransactionOption.Create)]
            Task Transfer();
        }

        public sealed class Bank(IGrainDelay delay) : Grain, IBank
        {
            public async Task Transfer()
            {
                await delay.Delay(TimeSpan.FromMilliseconds(1));
                using var timer = delay.CreatePeriodicTimer(TimeSpan.FromSeconds(1));
                await timer.WaitForNextTickAsync();
            }
        }
        """);

    [Fact]
    public Task Fix_DelayElsewhere_UsesAServiceInReach() => Verify.FixesAsync<DelayInTransactionAnalyzer, DelayFix>(
        """
        public class C(ITransactionClient client)
        {
            public Task M(TimerService timers, CancellationToken token) =>
                client.RunTransaction(
                    TransactionOption.Join, () => [|Task.Delay(1, token)|]);

            public Task N(CancellationToken token) =>
                client.RunTransaction(TransactionOption.Create, () => [|Task.Delay(1, token)|]);
        }
        """,
        """
        public class C(ITransactionClient client)
        {
            public Task M(TimerService timers, CancellationToken token) =>
                client.RunTransaction(
                    TransactionOption.Join, () => timers.Delay(TimeSpan.FromMilliseconds(1), token).AsTask());

            public Task N(CancellationToken token) =>
                client.RunTransaction(TransactionOption.Create, () => Task.Delay(1, token));
        }
        """);

    [Fact]
    public Task Fix_Timeouts_UseLeasesOrTheClock() => Verify.FixesAsync<TimeoutInTransactionAnalyzer, TimeoutFix>(
        Interface("Task<bool> Transfer(Task work, CancellationToken token);") +
        """
        public sealed class Bank : Grain, IBank
        {
            public async Task<bool> Transfer(Task work, CancellationToken token)
            {
                using var limit = [|new CancellationTokenSource(TimeSpan.FromSeconds(1))|];
                await work.WaitAsync(limit.Token);
                await [|work.WaitAsync(TimeSpan.FromSeconds(1))|];
                await [|work.WaitAsync(TimeSpan.FromSeconds(1), token)|];
                using CancellationTokenSource cancelled = [|new(100)|];
                cancelled.Cancel();
                return limit.IsCancellationRequested;
            }
        }
        """,
        Interface("Task<bool> Transfer(Task work, CancellationToken token);") +
        """
        public sealed class Bank(TimerService timers) : Grain, IBank
        {
            public async Task<bool> Transfer(Task work, CancellationToken token)
            {
                using var limit = timers.RentTimeout(TimeSpan.FromSeconds(1));
                await work.WaitAsync(limit.Token);
                await work.WaitAsync(TimeSpan.FromSeconds(1), timers.TimeProvider);
                await work.WaitAsync(TimeSpan.FromSeconds(1), timers.TimeProvider, token);
                using CancellationTokenSource cancelled = new(TimeSpan.FromMilliseconds(100), timers.TimeProvider);
                cancelled.Cancel();
                return limit.Token.IsCancellationRequested;
            }
        }
        """);

    [Fact]
    public Task Timeout_CancelAfter_IsFoundAndHasNoFix() =>
        Verify.HasNoFixAsync<TimeoutInTransactionAnalyzer, TimeoutFix>(
            Interface("Task Transfer(Task work);") +
            """
            public sealed class Bank(TimerService timers) : Grain, IBank
            {
                public async Task Transfer(Task work)
                {
                    using var source = new CancellationTokenSource();
                    [|source.CancelAfter(100)|];
                    source.CancelAfter(Timeout.Infinite);
                    source.CancelAfter(Timeout.InfiniteTimeSpan);
                    await work.WaitAsync(source.Token);
                    await work.WaitAsync(Timeout.InfiniteTimeSpan);
                    await work.WaitAsync(TimeSpan.FromSeconds(1), timers.TimeProvider);
                }

                public async Task Plain(Task work) => await work.WaitAsync(TimeSpan.FromSeconds(1));
            }
            """);

    [Fact]
    public Task Fix_NamedArguments_ChangesNothing() => Verify.FixesAsync<TimeoutInTransactionAnalyzer, TimeoutFix>(
        Interface("Task M(Task work);") +
        """
        public sealed class Bank : Grain, IBank
        {
            private CancellationTokenSource? _source;

            public async Task M(Task work)
            {
                _source = [|new CancellationTokenSource(millisecondsDelay: 5)|];
                await [|work.WaitAsync(timeout: TimeSpan.FromSeconds(1))|];
                await [|work.WaitAsync(TimeSpan.FromSeconds(1))|];
            }
        }
        """,
        Interface("Task M(Task work);") +
        """
        public sealed class Bank(TimerService timers) : Grain, IBank
        {
            private CancellationTokenSource? _source;

            public async Task M(Task work)
            {
                _source = new CancellationTokenSource(millisecondsDelay: 5);
                await work.WaitAsync(timeout: TimeSpan.FromSeconds(1));
                await work.WaitAsync(TimeSpan.FromSeconds(1), timers.TimeProvider);
            }
        }
        """);

    private static string Interface(string method) =>
        $$"""
        public interface IBank : IGrain
        {
            [Transaction(TransactionOption.Create)]
            {{method}}
        }


        """;
}
