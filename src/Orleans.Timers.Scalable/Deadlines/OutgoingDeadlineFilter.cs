using Orleans.Timers.Scalable.Calls;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>Sends the caller's remaining time with each call, and refuses a call whose time is up.</summary>
/// <remarks>
/// The filter is not an async method: it returns when Orleans' invoker begins to wait, and the invoker restores the
/// caller's context. So only the message gets the header.
/// </remarks>
internal sealed class OutgoingDeadlineFilter(CallDeadlines deadlines) : IOutgoingGrainCallFilter
{
    public Task Invoke(IOutgoingGrainCallContext context)
    {
        if (deadlines.Timers.IsOff)
        {
            return context.Invoke();
        }

        if (FlowingDeadline.Tightest(FlowingDeadline.Held, out var remaining) is not { } deadline
            || !ApplicationCalls.Include(context.Request, context.TargetId))
        {
            // A header that came with another request, or that code set itself, is not meant for this callee.
            RequestContext.Remove(CallDeadline.HeaderKey);
            return context.Invoke();
        }

        if (remaining == TimeSpan.Zero)
        {
            remaining = deadlines.Stalls.GraceLeft(overdue: deadline.Overdue);
            if (remaining == TimeSpan.Zero)
            {
                return Refuse(context);
            }
        }

        RequestContext.Set(CallDeadline.HeaderKey, DeadlineHeader.Write(remaining, deadlines.QueueTime.Mark(context)));
        return context.Invoke();
    }

    private Task Refuse(IOutgoingGrainCallContext context)
    {
        var reason =
            $"The call of {context.InterfaceName}.{context.MethodName} on {context.TargetId} was not sent: the "
                + "deadline of its caller has passed.";

        // Orleans does this for failed calls, but does not know this call yet. Done first, so that nothing can prevent
        // it.
        TransactionSupport.Instance.JoinedBy(context.Request, deadlines.Timers)?.Fail(reason);
        deadlines.Counts.CountRefused(DeadlineCounts.Caller, context.InterfaceName, context.MethodName);
        return Task.FromException(new TimeoutException(reason));
    }
}
