using System;
using System.Threading;
using System.Threading.Tasks;
using Orleans.Runtime;

namespace Orleans
{
    public interface IGrainBase
    {
        Task OnActivateAsync(CancellationToken token) => Task.CompletedTask;

        Task OnDeactivateAsync(DeactivationReason reason, CancellationToken token) => Task.CompletedTask;
    }

    public interface IGrain : IAddressable
    {
    }

    public struct DeactivationReason
    {
    }

    public abstract class Grain : IGrainBase, IAddressable
    {
        public virtual Task OnActivateAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public virtual Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken) =>
            Task.CompletedTask;
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class TransactionAttribute : Attribute
    {
        public TransactionAttribute(TransactionOption requirement)
        {
        }

        public TransactionAttribute(TransactionOptionAlias alias)
        {
        }
    }

    public enum TransactionOption
    {
        Suppress,
        CreateOrJoin,
        Create,
        Join,
        Supported,
        NotAllowed,
    }

    public enum TransactionOptionAlias
    {
        Required = 1,
        RequiresNew = 2,
        Mandatory = 3,
        Suppress = 4,
        Never = 5,
    }

    public interface ITransactionClient
    {
        Task RunTransaction(TransactionOption transactionOption, Func<Task> transactionDelegate);

        Task RunTransaction(TransactionOption transactionOption, Func<Task<bool>> transactionDelegate);
    }
}

namespace Orleans.Runtime
{
    public interface IAddressable
    {
    }
}

namespace Orleans.Transactions.Abstractions
{
    public interface ITransactionalState<TState>
        where TState : class, new()
    {
        Task<TResult> PerformRead<TResult>(Func<TState, TResult> readFunction);

        Task<TResult> PerformUpdate<TResult>(Func<TState, TResult> updateFunction);
    }

    public static class TransactionalStateExtensions
    {
        public static Task PerformUpdate<TState>(this ITransactionalState<TState> state, Action<TState> updateAction)
            where TState : class, new() =>
            state.PerformUpdate(value => 0);
    }
}

namespace Orleans.Timers.Scalable
{
    public interface IGrainDelay
    {
        bool KeepAlive { get; set; }

        CancellationToken DeactivationToken { get; }

        ValueTask Delay(TimeSpan dueTime, CancellationToken cancellationToken = default);

        ValueTask DelayIgnoringDeactivation(TimeSpan dueTime, CancellationToken cancellationToken = default);

        IGrainPeriodicTimer CreatePeriodicTimer(TimeSpan period);
    }

    public interface IGrainPeriodicTimer : IDisposable
    {
        TimeSpan Period { get; set; }

        ValueTask<bool> WaitForNextTickAsync(CancellationToken cancellationToken = default);
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class TransactionWithDeadlineAttribute : Attribute
    {
        public TransactionWithDeadlineAttribute(TransactionOption requirement, string deadline)
        {
        }
    }
}
