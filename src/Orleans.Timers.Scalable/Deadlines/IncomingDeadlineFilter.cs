using Orleans.Timers.Scalable.Calls;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>
/// Turns the budget of a request into a deadline on the local clock, and refuses a request whose budget is spent.
/// </summary>
internal sealed class IncomingDeadlineFilter(CallDeadlines deadlines) : IIncomingGrainCallFilter
{
    public Task Invoke(IIncomingGrainCallContext context)
    {
        var header = RequestContext.Get(CallDeadline.HeaderKey);
        if (header is null)
        {
            return InvokeUnbound(context);
        }

        // Grain code must not pass the header on, for instance to a stream, where it would be read much later.
        RequestContext.Remove(CallDeadline.HeaderKey);
        if (!ApplicationCalls.Include(context.Request, context.TargetId))
        {
            return InvokeUnbound(context);
        }

        if (!DeadlineHeader.TryRead(header, out var budget, out var mark))
        {
            deadlines.Counts.CountIgnored();
            return InvokeUnbound(context);
        }

        var remaining = budget - deadlines.QueueTime.Waited(context, mark);
        if (remaining <= TimeSpan.Zero)
        {
            // The caller, if on the same machine or in this process, may have stalled too. It waits until Orleans' own
            // timeout anyway.
            remaining = deadlines.Stalls.GraceOfDeadline(-remaining);
        }

        if (remaining <= TimeSpan.Zero)
        {
            var reason =
                $"The request {context.InterfaceName}.{context.MethodName} to {context.TargetId} was not run: the "
                    + "deadline of its caller has passed.";
            deadlines.OnRefused(DeadlineCounts.Callee, context, reason);
            return TransactionSupport.Instance.Refuse(context, new TimeoutException(reason));
        }

        return InvokeBound(context, new FlowingDeadline(deadlines.Timers, remaining, outer: null));
    }

    private Task InvokeUnbound(IIncomingGrainCallContext context)
    {
        // The call may come from a loop that notifies observers in the context of the request that started it.
        if (!ReferenceEquals(FlowingDeadline.Held, deadlines.None))
        {
            FlowingDeadline.Held = deadlines.None;
        }

        return context.Invoke();
    }

    private static async Task InvokeBound(IIncomingGrainCallContext context, FlowingDeadline deadline)
    {
        FlowingDeadline.Held = deadline;
        try
        {
            await context.Invoke();
        }
        finally
        {
            deadline.End();
        }
    }
}
