using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>Warns about call filters that run after those of <c>AddCallDeadlines</c>.</summary>
/// <remarks>
/// The outgoing filter writes the budget when it runs, and the incoming filter reads it when it runs. Neither knows how
/// much time later filters spend waiting or calling again.
/// </remarks>
internal sealed partial class CallDeadlineOrder(
    IServiceProvider services, ILogger<CallDeadlineOrder> logger)
    : LifecycleParticipant(ServiceLifecycleStage.RuntimeInitialize)
{
    protected override void Start()
    {
        List<object> behind =
        [
            .. services.GetServices<IOutgoingGrainCallFilter>()
                .SkipWhile(static filter => filter is not OutgoingDeadlineFilter)
                .Skip(1)
                .Where(MayTakeTime),
            .. services.GetServices<IIncomingGrainCallFilter>()
                .SkipWhile(static filter => filter is not IncomingDeadlineFilter)
                .Skip(1)
                .Where(MayTakeTime),
        ];
        if (behind.Count > 0)
        {
            LogFiltersBehind(logger, string.Join(", ", behind.Select(static filter => filter.GetType())));
        }
    }

    // The plugin's own filters take no time, nor do Orleans' filters that propagate activities, whose types are not
    // public.
    private static bool MayTakeTime(object filter) =>
        filter.GetType().Assembly != TransactionSupport.Instance.GetType().Assembly
        && !filter.GetType().Name.StartsWith("ActivityPropagation", StringComparison.Ordinal);

    [LoggerMessage(
        1,
        LogLevel.Warning,
        "These call filters are registered after the filters of AddCallDeadlines: {Filters}. The time that they take "
            + "does not count against deadlines. If such a filter waits or repeats a call, the call is sent with too "
            + "much time left, or a request runs although its deadline has passed. Register these filters first, and "
            + "call AddCallDeadlines afterwards.")]
    private static partial void LogFiltersBehind(ILogger logger, string filters);
}
