using System.Collections.Concurrent;
using System.Linq.Expressions;
using Microsoft.Extensions.Options;
using Orleans.Transactions;
using static Orleans.Timers.Scalable.Registration.OrleansShape;

namespace Orleans.Timers.Scalable.Transactions.Waits;

/// <summary>Gives workers of transactional states tokens of their own, so that their delays are told apart.</summary>
/// <remarks>
/// A state has a worker for its storage and one for its lock, and both delay with the same token. A worker that delays
/// again forgets its earlier delays: when one of them ends, it does nothing. <see cref="ServedTimers"/> drops them.
/// </remarks>
internal sealed class WorkerTokens(IOptions<OrleansTimerOptions> options)
{
    private static readonly (Func<BatchWorker, CancellationToken> Get, Action<BatchWorker, CancellationToken> Set)
        s_token = TokenOf();

    /// <summary>By the type of state: its workers, none before it is set up.</summary>
    private static readonly ConcurrentDictionary<Type, Func<object, BatchWorker[]>> s_workers = new();

    /// <exception cref="MissingMemberException">The states or workers differ from the expected ones.</exception>
    internal static Type Checked()
    {
        RequireFields(
            typeof(BatchWorker),
            "lockable",
            "scheduledNotify",
            "currentWorkCycle",
            "moreWork",
            "nextWorkCyclePromise",
            "nextWorkCycle",
            Backing("CancellationToken"));
        WorkersOf(typeof(TransactionalState<object>));
        WorkersOf(typeof(TransactionCommitter<object>));
        _ = WorkerToken.Is(CancellationToken.None);
        return typeof(WorkerTokens);
    }

    /// <summary>Gives the tokens as soon as the state is set up. Its lifecycle has not begun.</summary>
    internal void GiveTo(object state, IGrainContext context)
    {
        if (options.Value.ServesStaticTimers)
        {
            context.ObservableLifecycle.Subscribe(
                nameof(WorkerTokens),
                GrainLifecycleStage.SetupState + 1,
                _ =>
                {
                    foreach (var worker in s_workers.GetOrAdd(state.GetType(), WorkersOf)(state))
                    {
                        s_token.Set(worker, WorkerToken.LinkedTo(s_token.Get(worker)));
                    }

                    return Task.CompletedTask;
                });
        }
    }

    private static (Func<BatchWorker, CancellationToken> Get, Action<BatchWorker, CancellationToken> Set) TokenOf()
    {
        var token = Property(typeof(BatchWorker), "CancellationToken", typeof(CancellationToken), isWritten: true);
        return (
            token.GetMethod!.CreateDelegate<Func<BatchWorker, CancellationToken>>(),
            token.SetMethod!.CreateDelegate<Action<BatchWorker, CancellationToken>>());
    }

    private static Func<object, BatchWorker[]> WorkersOf(Type type)
    {
        // A state of another kind keeps its tokens.
        var definition = type.IsGenericType ? type.GetGenericTypeDefinition() : null;
        if (definition != typeof(TransactionalState<>) && definition != typeof(TransactionCommitter<>))
        {
            return static _ => [];
        }

        var state = Expression.Parameter(typeof(object));
        var queue = Expression.Field(Expression.Convert(state, type), Field(type, "queue", null));
        var readLock = Get(queue, "RWLock", null);
        var workers = Expression.NewArrayInit(
            typeof(BatchWorker),
            Expression.Field(queue, Field(queue.Type, "storageWorker", typeof(BatchWorker))),
            Expression.Field(readLock, Field(readLock.Type, "lockWorker", typeof(BatchWorker))));
        return Compile<Func<object, BatchWorker[]>>(
            Expression.Condition(
                Expression.Equal(queue, Expression.Constant(null, queue.Type)),
                Expression.Constant(Array.Empty<BatchWorker>()),
                workers),
            state);
    }
}
