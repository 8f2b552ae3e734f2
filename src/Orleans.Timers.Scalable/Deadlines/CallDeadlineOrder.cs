using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable;

/// <summary>Warns of call filters that stand behind those of <c>AddCallDeadlines</c>.</summary>
/// <remarks>
/// A budget is written where the filter for outgoing calls stands, and looked at where the one for requests stands. What a filter behind
/// does afterwards (waiting, calling again) takes time that neither knows of.
/// </remarks>
internal sealed partial class CallDeadlineOrder(IServiceProvider services, ILogger<CallDeadlineOrder> logger) : CallFilterOrder
{
    protected override void Check()
    {
        List<object> behind =
        [
            .. services.GetServices<IOutgoingGrainCallFilter>().SkipWhile(static filter => filter is not OutgoingDeadlineFilter).Skip(1).Where(MayTakeTime),
            .. services.GetServices<IIncomingGrainCallFilter>().SkipWhile(static filter => filter is not IncomingDeadlineFilter).Skip(1).Where(MayTakeTime),
        ];
        if (behind.Count > 0)
        {
            LogFiltersBehind(logger, string.Join(", ", behind.Select(static filter => filter.GetType())));
        }
    }

    // Ours does not, nor do those of Orleans that pass activities on. Their type is not public.
    private static bool MayTakeTime(object filter) =>
        filter is not TransactionalCallFilter && !filter.GetType().Name.StartsWith("ActivityPropagation", StringComparison.Ordinal);
}
