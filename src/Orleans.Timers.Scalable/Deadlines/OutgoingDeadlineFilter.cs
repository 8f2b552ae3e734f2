namespace Orleans.Timers.Scalable;

/// <summary>Hands what is left of the caller's time on with each call, and sends none whose time is up.</summary>
/// <remarks>
/// Not asynchronous by itself: it ends where Orleans' invoker begins to wait, and that invoker restores the caller's context, so that the
/// header is seen by nobody but the message.
/// </remarks>
internal sealed class OutgoingDeadlineFilter(CallDeadlines deadlines) : IOutgoingGrainCallFilter
{
    public Task Invoke(IOutgoingGrainCallContext context)
    {
        var held = CallDeadline.Held;
        if (held is null || CallDeadline.Tightest(held, out var remaining) is null || !BoundCalls.Include(context.Request, context.TargetId))
        {
            // What came with another request, or was set by hand, is not for the callee of this call.
            if (RequestContext.Get(GrainDeadline.HeaderKey) is not null)
            {
                RequestContext.Remove(GrainDeadline.HeaderKey);
            }

            return context.Invoke();
        }

        if (remaining == TimeSpan.Zero)
        {
            return Refuse(context);
        }

        RequestContext.Set(GrainDeadline.HeaderKey, DeadlineHeader.Write(remaining, deadlines.QueueTime.Mark(context)));
        return context.Invoke();
    }

    private Task Refuse(IOutgoingGrainCallContext context)
    {
        deadlines.Counts.CountRefusedAsCaller();
        var reason = $"The call of {context.InterfaceName}.{context.MethodName} on {context.TargetId} was not sent: the deadline of its caller has passed.";

        // Orleans does so by itself for calls that fail, but has not yet heard of this one.
        if (CallTransaction.JoinedBy(context.Request) is { } transaction)
        {
            CallTransaction.Fail(transaction, reason);
        }

        return Task.FromException(new TimeoutException(reason));
    }
}
