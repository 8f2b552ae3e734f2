using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>What the driver does in virtual time with one item.</summary>
internal static class FiringAsInOrder
{
    internal static void EnterAndFireHere(this FiringDispatcher dispatcher, FiringItem item)
    {
        dispatcher.EnterWorker();
        dispatcher.FireHere(item);
        dispatcher.ExitWorker();
    }
}
