using System.Reflection;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using static Orleans.Timers.Scalable.Registration.OrleansShape;

namespace Orleans.Timers.Scalable.Transactions.ProtocolFixes;

/// <summary>Tells whether a transactional state is writing. Orleans has no method for that.</summary>
internal static class StorageWorkers
{
    private const string Namespace = "Orleans.Transactions.";

    /// <exception cref="MissingMemberException">Orleans differs from the expected one.</exception>
    internal static Type Checked()
    {
        Require(
            typeof(IDictionary<string, Func<ITransactionManager>>).IsAssignableFrom(Managers()),
            $"{Managers()} is no dictionary of transaction managers");
        WorkerOf(Close(Find("State.TransactionManager`1"), typeof(object)));
        return typeof(StorageWorkers);
    }

    /// <summary>Whether a state of an activation writes nothing now. Call it on the activation's scheduler.</summary>
    internal static bool AreIdle(IGrainContext activation, string state)
    {
        var managers = (IDictionary<string, Func<ITransactionManager>>)((ITargetHolder)activation)
            .GetComponent(Managers())!;
        var manager = managers[state]();
        var (queue, worker) = WorkerOf(manager.GetType());
        return ((BatchWorker)worker.GetValue(queue.GetValue(manager))!).IsIdle();
    }

    private static (FieldInfo Queue, FieldInfo Worker) WorkerOf(Type manager)
    {
        var queue = Field(manager, "queue", null);
        return (queue, Field(queue.FieldType, "storageWorker", typeof(BatchWorker)));
    }

    private static Type Managers() => Close(Find("ResourceFactoryRegistry`1"), typeof(ITransactionManager));

    private static Type Find(string name) => TypeOf(typeof(TransactionalState<>).Assembly.GetType, Namespace + name);
}
