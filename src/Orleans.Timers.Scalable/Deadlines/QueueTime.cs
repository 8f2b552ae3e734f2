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
internal sealed partial class QueueTime
{
    /// <summary>
    /// The largest step of the tick count with which each machine on the message's way measures its time to live.
    /// </summary>
    internal static readonly TimeSpan ClockStep = TimeSpan.FromMilliseconds(16);

    private readonly Func<TimeSpan?> _responseTimeout;
    private readonly MessageShape? _shape;

    private QueueTime(Func<TimeSpan?> responseTimeout, MessageShape? shape) =>
        (_responseTimeout, _shape) = (responseTimeout, shape);

    /// <summary>Counts no wait.</summary>
    internal static QueueTime Unknown { get; } = new(static () => null, shape: null);

    internal static QueueTime Of(IServiceProvider services, ILogger logger)
    {
        var responseTimeout = ResponseTimeout(services);
        if (responseTimeout is null)
        {
            LogNotCounted(logger, "there is no Orleans.Runtime.IRuntimeClient with a method GetResponseTimeout");
        }
        else if (!MessageShape.TryFind(typeof(MessagingOptions).Assembly, out var shape, out var difference))
        {
            LogNotCounted(logger, difference);
        }
        else
        {
            return new QueueTime(responseTimeout, shape);
        }

        return Unknown;
    }

    /// <summary>Returns the mark of a call's message.</summary>
    internal TimeToLiveMark Mark(IOutgoingGrainCallContext call) =>
        InitialTimeToLive(call) is { } timeToLive
            ? TimeToLiveMark.Of(timeToLive, call.SourceId, call.TargetId)
            : default;

    /// <summary>Returns the minimum time that a request has waited; zero if unknown.</summary>
    internal TimeSpan Waited(IIncomingGrainCallContext call, TimeToLiveMark mark)
    {
        if (mark == default
            || _shape?.TimeToLive(call) is not { } left
            || InitialTimeToLive(call) is not { } timeToLive
            || TimeToLiveMark.Of(timeToLive, call.SourceId, call.TargetId) != mark)
        {
            return TimeSpan.Zero;
        }

        var waited = timeToLive - left - Inaccuracy(call);
        return waited > TimeSpan.Zero ? waited : TimeSpan.Zero;
    }

    /// <summary>Returns how long the caller of a request waits for its answer at most; null if unknown.</summary>
    internal TimeSpan? Left(IIncomingGrainCallContext call) => _shape?.TimeToLive(call) is { } left
        ? TimeSpan.FromTicks(long.Max(0, (left + Inaccuracy(call)).Ticks))
        : InitialTimeToLive(call);

    /// <summary>
    /// Counts the caller's machine and this one, a gateway if the caller is a client, and the silos that forwarded the
    /// message.
    /// </summary>
    private TimeSpan Inaccuracy(IIncomingGrainCallContext call) =>
        (2 + (call.SourceId is { } source && source.IsClient() ? 1 : 0) + _shape!.Forwards(call)) * ClockStep;

    private TimeSpan? InitialTimeToLive(IGrainCallContext call) =>
        _responseTimeout() is { } usual ? call.Request.GetDefaultResponseTimeout() ?? usual : null;

    /// <summary>
    /// Returns a function that gets the response timeout of methods that set none, which is their messages' time to
    /// live.
    /// </summary>
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
