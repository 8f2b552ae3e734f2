using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Transactions;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The bounds of the agent, to the tick, in virtual time.</summary>
public sealed class PhasedTransactionAgentTests : IDisposable
{
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);
    private static readonly TimeSpan s_bound = TimeSpan.FromSeconds(25);

    private readonly ManualTimeProvider _clock = new();
    private readonly FakeTransactionAgent _inner = new();
    private IHost? _host;

    public void Dispose() => _host?.Dispose();

    [Fact]
    public async Task Resolve_ATickBeforeTheDeadline_IsLeftToOrleans()
    {
        var agent = Agent(static phases => phases.Deadline = s_bound);
        var info = await agent.StartTransaction(readOnly: false, TimeSpan.FromSeconds(10));
        _clock.Advance(s_bound - s_instant);

        Assert.Equal(TransactionalStatus.Ok, (await agent.Resolve(info)).Status);
        Assert.Equal(["start", "resolve"], _inner.Asked);
        Assert.Equal(TimeSpan.FromSeconds(10), _inner.Timeout);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Resolve_AtTheDeadline_AbortsAndNeverAsksToResolve(bool abortFails)
    {
        if (abortFails)
        {
            _inner.Abortion = Task.FromException(new TimeoutException("A participant is silent."));
        }

        var agent = Agent(static phases => phases.Deadline = s_bound);
        var info = await agent.StartTransaction(readOnly: false, TimeSpan.FromSeconds(10));
        _clock.Advance(s_bound);

        var exception = await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(() => agent.Resolve(info));

        Assert.Equal(["start", "abort"], _inner.Asked);
        Assert.Equal(info.Id, exception.TransactionId);
    }

    [Theory]
    [InlineData(false, 25.0, 10.0)]
    [InlineData(false, 3.0, 3.0)]
    [InlineData(true, null, 2.0)]
    [InlineData(true, 3.0, 2.0)]
    [InlineData(true, 0.5, 0.5)]
    public async Task StartTransaction_DeadlineOrFastRecovery_ShortensTheLocksAndNeverExtendsThem(
        bool recoversFast, double? deadline, double timeout)
    {
        var agent = Agent(phases =>
        {
            phases.UseFastRecovery = recoversFast;
            phases.Deadline = deadline is { } seconds ? TimeSpan.FromSeconds(seconds) : null;
        });

        await agent.StartTransaction(readOnly: false, TimeSpan.FromSeconds(10));

        Assert.Equal(TimeSpan.FromSeconds(timeout), _inner.Timeout);
    }

    private ITransactionAgent Agent(Action<TransactionPhaseOptions> configure)
    {
        _host = TestHosts.Silo(silo =>
        {
            silo.UseTransactions();
            silo.Services.AddKeyedSingleton<TimeProvider>(TransactionTimeProviderNames.Transactions, _clock);
            silo.Services.AddSingleton<ITransactionAgent>(_inner);
            silo.ConfigureTransactionPhases(configure);
        });
        return _host.Services.GetRequiredService<ITransactionAgent>();
    }

    /// <summary>An agent that does what its test says, and remembers its calls.</summary>
    private sealed class FakeTransactionAgent : ITransactionAgent
    {
        internal List<string> Asked { get; } = [];

        internal TimeSpan Timeout { get; private set; }

        internal Task Abortion { get; set; } = Task.CompletedTask;

        public Task<TransactionInfo> StartTransaction(bool readOnly, TimeSpan timeout)
        {
            Asked.Add("start");
            Timeout = timeout;
            return Task.FromResult(new TransactionInfo(Guid.NewGuid(), DateTime.UtcNow, DateTime.UtcNow));
        }

        public Task<(TransactionalStatus Status, Exception? exception)> Resolve(TransactionInfo transactionInfo)
        {
            Asked.Add("resolve");
            return Task.FromResult((TransactionalStatus.Ok, (Exception?)null));
        }

        public Task Abort(TransactionInfo transactionInfo)
        {
            Asked.Add("abort");
            return Abortion;
        }
    }
}
