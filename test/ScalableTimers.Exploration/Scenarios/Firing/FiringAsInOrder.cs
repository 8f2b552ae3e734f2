using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Fires one item as the driver does in virtual time.</summary>
internal static class FiringAsInOrder
{
    internal static void EnterAndFireHere(this FiringDispatcher dispatcher, FiringItem item)
    {
        dispatcher.EnterWorker();
        dispatcher.FireHere(item, deadlineTick: 0);
        dispatcher.ExitWorker();
    }
}
