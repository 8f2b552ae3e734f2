using ScalableTimers.Firing;
using ScalableTimers.Queues;

namespace ScalableTimers.Tests.Queues;

internal static class QueueExtensions
{
    /// <summary>Takes out what is due, one by one, in order of expiry.</summary>
    internal static IEnumerable<FiringItem> TakeDue(this TimerQueue queue, long nowTick)
    {
        var batch = queue.Dispatcher.Rent();
        bool hasMore;
        do
        {
            hasMore = queue.Expire(nowTick, batch, maxCount: 1);
            if (batch.TryTakeOne(out var item, out _))
            {
                hasMore = true;
                yield return item;
            }
        }
        while (hasMore);

        queue.Dispatcher.Return(batch);
    }
}
