using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>Tells how long a request has certainly waited for its turn since it was sent.</summary>
/// <remarks>
/// Orleans does not tell filters. But a message's time to live starts at the caller's response timeout and runs down
/// while the message waits in queues, though not on the network. The caller sends a <see cref="TimeToLiveMark"/> with
/// the budget. If the mark matches the response timeout that the callee assumes, the wait is the difference. Otherwise
/// no wait is counted.
/// </remarks>
internal sealed partial class QueueTime(
    Func<TimeSpan?> responseTimeout, Func<IIncomingGrainCallContext, TimeSpan?> timeToLive)
{
    /// <summary>
    /// How much a time to live may be wrong. Each machine on the message's way measures with a tick count of steps of
    /// up to 16 milliseconds: the caller's, a gateway, the two silos that forward a message at most (Orleans' default
    /// for <see cref="SiloMessagingOptions.MaxForwardCount"/>), and the callee's.
    /// </summary>
    internal static readonly TimeSpan Inaccuracy = 5 * TimeSpan.FromMilliseconds(16);

    /// <summary>Counts no wait.</summary>
    internal static QueueTime Unknown { get; } = new(static () => null, static _ => null);

    internal static QueueTime Of(IServiceProvider services, ILogger logger)
    {
        var timeToLive = MessageShape.FindTimeToLive(typeof(MessagingOptions).Assembly, out var difference);
        var responseTimeout = ResponseTimeout(services);
        if (timeToLive is not null && responseTimeout is not null)
        {
            return new QueueTime(responseTimeout, timeToLive);
        }

        LogNotCounted(
            logger, difference ?? "there is no Orleans.Runtime.IRuntimeClient with a method GetResponseTimeout");
        return Unknown;
    }

    internal TimeToLiveMark Mark(IOutgoingGrainCallContext call) =>
        InitialTimeToLive(call) is { } initial ? TimeToLiveMark.Of(initial, call.SourceId, call.TargetId) : default;

    /// <summary>Returns the minimum time that a request has waited; zero if unknown.</summary>
    internal TimeSpan Waited(IIncomingGrainCallContext call, TimeToLiveMark mark)
    {
        if (mark == default
            || timeToLive(call) is not { } left
            || InitialTimeToLive(call) is not { } initial
            || TimeToLiveMark.Of(initial, call.SourceId, call.TargetId) != mark)
        {
            return TimeSpan.Zero;
        }

        var waited = initial - left - Inaccuracy;
        return waited > TimeSpan.Zero ? waited : TimeSpan.Zero;
    }

    /// <summary>Returns how long the caller of a request waits for its answer at most; null if unknown.</summary>
    /// <remarks>Where messages do not expire, only an attribute tells: the caller may have another option.</remarks>
    internal TimeSpan? Left(IIncomingGrainCallContext call) => timeToLive(call) is { } left
        ? TimeSpan.FromTicks(long.Max(0, (left + Inaccuracy).Ticks))
        : call.Request.GetDefaultResponseTimeout();

    private TimeSpan? InitialTimeToLive(IGrainCallContext call) =>
        responseTimeout() is { } usual ? call.Request.GetDefaultResponseTimeout() ?? usual : null;

    /// <summary>Returns what gets the response timeout of methods that set none.</summary>
    private static Func<TimeSpan?>? ResponseTimeout(IServiceProvider services)
    {
        if (services.GetService<ILocalSiloDetails>() is null)
        {
            var client = services.GetRequiredService<IOptions<ClientMessagingOptions>>().Value;
            return () => client.ResponseTimeout;
        }

        // A silo reads its option once, when it is created, so only the silo knows the value in use.
        var type = typeof(MessagingOptions).Assembly.GetType("Orleans.Runtime.IRuntimeClient");
        var method = type?.GetMethod("GetResponseTimeout", []);
        if (method?.ReturnType != typeof(TimeSpan) || services.GetService(type!) is not { } runtime)
        {
            return null;
        }

        var responseTimeout = method.CreateDelegate<Func<TimeSpan>>(runtime);
        return () => responseTimeout();
    }

    [LoggerMessage(
        1,
        LogLevel.Warning,
        "The time that requests wait in queues does not count against their deadlines, because this version of "
            + "Orleans differs from the expected one: {Difference}.")]
    private static partial void LogNotCounted(ILogger logger, string difference);
}
