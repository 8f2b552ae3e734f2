using Orleans.Timers.Scalable.Calls;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>
/// Turns the budget of a request into a deadline on the local clock, and refuses a request whose budget is spent.
/// </summary>
internal sealed class IncomingDeadlineFilter(CallDeadlines deadlines) : IIncomingGrainCallFilter
{
    public Task Invoke(IIncomingGrainCallContext context)
    {
        if (deadlines.Timers.IsOff)
        {
            return context.Invoke();
        }

        // Grain code must not pass the header on, for instance to a stream, where it would be read much later.
        var header = RequestContext.Get(CallDeadline.HeaderKey);
        RequestContext.Remove(CallDeadline.HeaderKey);
        if ((header is null && !context.Request.IsCancellable)
            || !ApplicationCalls.Include(context.Request, context.TargetId))
        {
            return InvokeUnbound(context);
        }

        FlowingDeadline? deadline = null;
        TimeSpan? remaining = null;
        if (header is not null && TryReadRemaining(context, header, out var left))
        {
            if (left <= TimeSpan.Zero)
            {
                var reason =
                    $"The request {context.InterfaceName}.{context.MethodName} to {context.TargetId} was not run: the "
                        + "deadline of its caller has passed.";
                deadlines.Counts.CountRefused(DeadlineCounts.Callee, context.InterfaceName, context.MethodName);
                return TransactionSupport.Instance.Refuse(context, new TimeoutException(reason));
            }

            remaining = left;
            deadline = new FlowingDeadline(deadlines.Timers.Service.TimeProvider, left, outer: null);
        }

        var token = deadlines.TokenOf(context, remaining);
        return deadline is null && token is null ? InvokeUnbound(context) : InvokeBound(context, deadline, token);
    }

    private bool TryReadRemaining(IIncomingGrainCallContext context, object header, out TimeSpan remaining)
    {
        if (!DeadlineHeader.TryRead(header, out remaining, out var mark))
        {
            deadlines.Counts.CountIgnored();
            return false;
        }

        remaining -= deadlines.QueueTime.Waited(context, mark);
        if (remaining <= TimeSpan.Zero)
        {
            // The caller, if on the same machine or in this process, may have stalled too. It waits until Orleans' own
            // timeout anyway.
            remaining = deadlines.Stalls.GraceLeft(overdue: -remaining);
        }

        return true;
    }

    private Task InvokeUnbound(IIncomingGrainCallContext context)
    {
        // The call may come from a loop that notifies observers in the context of the request that started it.
        FlowingDeadline.Held = deadlines.None;
        return context.Invoke();
    }

    private async Task InvokeBound(IIncomingGrainCallContext context, FlowingDeadline? deadline, RequestToken? token)
    {
        FlowingDeadline.Held = deadline ?? deadlines.None;
        try
        {
            var invoked = context.Invoke();
            if (!TransactionSupport.Instance.BeginsLater(context.Request))
            {
                token?.Restore();
            }

            await invoked;
        }
        catch (OperationCanceledException cancellation) when (token?.ToCaller(cancellation) is { } answer)
        {
            throw answer;
        }
        finally
        {
            deadline?.End();
            token?.End();
        }
    }
}
