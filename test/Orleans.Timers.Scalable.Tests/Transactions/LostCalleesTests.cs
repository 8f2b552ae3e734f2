using System.Collections.Concurrent;
using System.Reflection;
using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Whom an abort reaches, with references that note it in place of grains.</summary>
public sealed class LostCalleesTests
{
    private readonly ConcurrentBag<GrainId> _told = [];
    private readonly HandClock _clock = new();
    private readonly GrainReferenceShared _shared = new(
        GrainType.Create("account"),
        default,
        interfaceVersion: 0,
        DispatchProxy.Create<IGrainReferenceRuntime, Runtime>(),
        default,
        codecProvider: null!,
        copyContextPool: null!,
        serviceProvider: null!);

    // Seen to fail without the lock of each of the three methods: references were lost, or an exception was thrown.
    [Fact]
    public async Task Abort_WhileCallsBeginAndEnd_ReachesThoseWithoutAnAnswer()
    {
        const int Calls = 1000;
        List<GrainReference>[] references = [Callees(Calls), Callees(Calls)];
        var (callees, transaction) = (new LostCallees(), NewTransaction());
        await Race.Run(
            thread =>
            {
                for (var i = 0; i < Calls; i++)
                {
                    callees.Add(transaction, references[thread][i]);
                    if (i % 10 != 0)
                    {
                        callees.Remove(transaction, references[thread][i]);
                    }
                    else if (i % 50 == 0)
                    {
                        // Nothing is known yet of what the callees hold, so this only reads who they are.
                        callees.Abort(transaction, _clock);
                    }
                }
            },
            () =>
            {
                _told.Clear();
                Learn(callees);
                callees.Abort(transaction, _clock);
                var unanswered = references.SelectMany(static own => own.Where(static (_, i) => i % 10 == 0))
                    .Select(static one => one.GrainId)
                    .ToHashSet();
                SpinWait.SpinUntil(() => _told.Count >= unanswered.Count, TimeSpan.FromSeconds(5));
                Assert.Equal(unanswered, [.. _told]);
                (callees, transaction) = (new LostCallees(), NewTransaction());
            });
    }

    // Seen to fail without the bound, and without the decrement of what is pending.
    [Fact]
    public async Task Abort_OfTooMany_ReachesTheMostAndLaterOthers()
    {
        using var callees = new LostCallees();
        Learn(callees);
        Abort(LostCallees.Most + 100);
        await Eventually.True(() => _told.Count >= LostCallees.Most, "the most are told");

        // Each is told once more, a second after it has begun to wait, which some may be about to.
        await Eventually.True(
            () =>
            {
                _clock.SkipAndRing(TimeSpan.FromSeconds(1));
                return _told.Count >= 2 * LostCallees.Most;
            },
            "the most are told again");
        Abort(1);

        await Eventually.True(() => _told.Count > 2 * LostCallees.Most, "another is told");
        Assert.Equal((2 * LostCallees.Most) + 1, _told.Count);

        void Abort(int count)
        {
            var transaction = NewTransaction();
            Callees(count).ForEach(callee => callees.Add(transaction, callee));
            callees.Abort(transaction, _clock);
        }
    }

    private static TransactionInfo NewTransaction() => new(Guid.NewGuid(), default, default);

    private List<GrainReference> Callees(int count) =>
        [.. Enumerable.Range(0, count).Select(_ => new Callee(_shared, Guid.NewGuid(), _told))];

    private void Learn(LostCallees callees)
    {
        var answered = NewTransaction();
        answered.RecordWrite(new ParticipantId("state", Callees(1)[0], ParticipantId.Role.Resource), default);
        callees.Learn(answered);
    }

    private sealed class Callee(GrainReferenceShared shared, Guid key, ConcurrentBag<GrainId> told)
        : GrainReference(shared, IdSpan.Create($"{key}")), ITransactionalResourceExtension
    {
        public Task Abort(string resourceId, Guid transactionId)
        {
            told.Add(GrainId);
            return Task.CompletedTask;
        }

        public Task<TransactionalStatus> CommitReadOnly(
            string resourceId, Guid transactionId, AccessCounter accessCount, DateTime timeStamp) =>
            throw new NotSupportedException();

        public Task Cancel(
            string resourceId, Guid transactionId, DateTime timeStamp, TransactionalStatus status) =>
            throw new NotSupportedException();

        public Task Confirm(string resourceId, Guid transactionId, DateTime timeStamp) =>
            throw new NotSupportedException();

        public Task Prepare(
            string resourceId,
            Guid transactionId,
            AccessCounter accessCount,
            DateTime timeStamp,
            ParticipantId transactionManager) => throw new NotSupportedException();
    }

#pragma warning disable CA1852 // A proxy derives from it.
    private class Runtime : DispatchProxy
    {
        /// <summary>A cast gives back the reference.</summary>
        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) => args![0];
    }
#pragma warning restore CA1852
}
