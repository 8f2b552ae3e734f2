using System.Diagnostics;

namespace Orleans.Timers.Scalable;

/// <summary>Measures the calls that application code makes, and explains their response timeouts.</summary>
/// <remarks>
/// It stands in front of the application's own filters. If one of those calls again, the whole is one call here.
/// </remarks>
internal sealed class OutgoingDiagnosticsFilter(CallDiagnostics diagnostics) : IOutgoingGrainCallFilter
{
    public Task Invoke(IOutgoingGrainCallContext context)
    {
        if (!ApplicationCalls.Include(context.Request, context.TargetId))
        {
            return context.Invoke();
        }

        var start = TimeProvider.System.GetTimestamp();

        // The low bits of a timestamp choose as well as a counter would, which threads would have to share.
        if (diagnostics.QueueTimeSampling > 0 && (ulong)start % diagnostics.QueueTimeSampling == 0)
        {
            QueueTimeHeader.Write(diagnostics.QueueTime.Mark(context));
        }

        return Await(context.Invoke(), context, start);
    }

    private async Task Await(Task call, IOutgoingGrainCallContext context, long start)
    {
        try
        {
            await call;
        }
        catch (TimeoutException exception) when (IsDeadline(exception, context))
        {
            // The callee has logged and counted it. The span is the caller's.
            CallDiagnostics.AddEvent(Ended(context, TimedOutCall.Deadline, null, start, null), exception.Message);
            throw;
        }
        catch (TimeoutException exception) when (exception.InnerException is null
            && SentCall.TryRead(exception.Message, context.SourceId, context.TargetId, out var timeout, out var sent)
            && !diagnostics.IsGivenUp(context.Request))
        {
            // One with an inner exception was explained where a request of this one called the same grain.
            throw await diagnostics.Explain(
                Ended(context, TimedOutCall.ResponseTimeout, sent, start, timeout), exception);
        }
        finally
        {
            diagnostics.Metrics.Took(context.Request, TimeProvider.System.GetElapsedTime(start));
        }
    }

    private static bool IsDeadline(TimeoutException exception, IOutgoingGrainCallContext context) =>
        exception.Message.StartsWith(
            IncomingDeadlineFilter.RefusalOf(context), StringComparison.Ordinal);

    private static TimedOutCall Ended(
        IOutgoingGrainCallContext context, string cause, SentCall? sent, long start, TimeSpan? timeout) =>
        new(
            cause,
            context.Request,
            context.TargetId.ToString(),
            sent,
            TimeProvider.System.GetElapsedTime(start),
            timeout,
            Activity.Current);
}
