using System.Diagnostics;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Serialization.Invocation;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>Explains why calls of a silo or client timed out: to callers, the log, metrics and spans.</summary>
/// <remarks>
/// <para>
/// <b>Cost.</b> All work is done after a timeout. At most <see cref="MostQuestions"/> calls are asked about at once, so
/// that a silo that is too slow for its callers does not get as many questions as calls.
/// </para>
/// <para>
/// <b>Threads.</b> Any. Questions are asked outside of grains and of the caller's context, so no transaction, deadline
/// or call timeout applies to them.
/// </para>
/// </remarks>
internal sealed partial class CallDiagnostics
{
    internal const string EventName = "scalable_timers.call.timeout";

    private const int MostQuestions = 32;

    /// <summary>Of all time, one part in so many may be spent on looking for messages.</summary>
    private const int SearchPart = 20;

    /// <summary>What the clocks and the network may add to the time that a request waited at least.</summary>
    private static readonly TimeSpan s_uncountedWait = TimeSpan.FromMilliseconds(100);

    private static readonly ConditionalWeakTable<TimerService, CallDiagnostics> s_all = [];
    private static volatile bool s_isAny;

    /// <summary>The time, unspent, of which that part may be spent at once.</summary>
    private static readonly long s_longestRest = TimeProvider.System.TimestampFrequency;

    private readonly IServiceProvider _services;
    private readonly ILogger _logger;
    private readonly TimeSpan _longestDelay;
    private readonly TimeSpan _questionTimeout;

    /// <summary>The requests whose callers gave them up before Orleans did.</summary>
    private readonly ConditionalWeakTable<IInvokable, CallDiagnostics> _givenUp = [];

    /// <summary>The timestamp at which the searches so far will have spent no more than their part.</summary>
    private long _searchesPaid;
    private int _questions;

    public CallDiagnostics(
        IServiceProvider services,
        TimerService timers,
        CallMetrics metrics,
        IOptions<CallDiagnosticsOptions> options,
        ILogger<CallDiagnostics> logger)
    {
        (_services, _logger, Metrics) = (services, logger, metrics);
        (_longestDelay, _questionTimeout) = (options.Value.LongestDelay, options.Value.QuestionTimeout);
        QueueTimeSampling = (uint)options.Value.QueueTimeSampling;

        // Messages expire by the system's clock, which says nothing about a test's clock.
        QueueTime = QueueTime.Of(
            services,
            QueueTimeSampling > 0 && KeyedClocks.KeepsSystemTime(services),
            logger);
        s_all.AddOrUpdate(timers, this);

        // The first use takes a tenth of a second, by which the first explanation would be too late.
        Task.Run(static () => (RuntimeShape.Current, CallReportJson.Write(new CallReport()))).Ignore();
        s_isAny = true;
    }

    internal CallMetrics Metrics { get; }

    internal QueueTime QueueTime { get; }

    internal uint QueueTimeSampling { get; }

    /// <summary>Returns the diagnostics of the silo or client with a service; null if it has none.</summary>
    internal static CallDiagnostics? Of(TimerService timers) =>
        s_isAny && s_all.TryGetValue(timers, out var diagnostics) ? diagnostics : null;

    /// <summary>
    /// Returns the message of an outstanding call, of which no other timeout will be explained; null if it is not found
    /// or too many have been looked for.
    /// </summary>
    /// <remarks>
    /// A search looks at all outstanding calls, on the thread that ends calls. With a search for each of thousands that
    /// time out at once, calls would end, and all timers of the service would fire, many seconds late.
    /// </remarks>
    internal SentCall? GiveUp(IInvokable request)
    {
        _givenUp.AddOrUpdate(request, this);
        var start = TimeProvider.System.GetTimestamp();
        var paid = Math.Max(Volatile.Read(ref _searchesPaid), start - s_longestRest);
        if (paid > start)
        {
            return null;
        }

        var sent = RuntimeShape.Current?.Outstanding(_services, request);

        // A thread that was not running for a while must not keep the next message from being found.
        var spent = Math.Min(SearchPart * (TimeProvider.System.GetTimestamp() - start), s_longestRest / 2);
        Volatile.Write(ref _searchesPaid, paid + spent);
        return sent;
    }

    /// <summary>Whether the timeout of a call has been explained already.</summary>
    internal bool IsGivenUp(IInvokable request) => _givenUp.TryGetValue(request, out _);

    /// <summary>
    /// Returns the exception with an explanation, after asking the callee's silo. Takes no longer than
    /// <see cref="CallDiagnosticsOptions.LongestDelay"/>. Does not throw.
    /// </summary>
    internal async Task<TimeoutException> Explain(TimedOutCall call, TimeoutException exception)
    {
        try
        {
            Metrics.CountTimeout(call.Request, call.Cause);
            var asking = AskOutside(call);
            string explanation;
            try
            {
                explanation = await asking.WaitAsync(_longestDelay);
            }
            catch (TimeoutException)
            {
                asking.Ignore();
                explanation = "The callee's silo has not answered yet; the log will tell more.";
            }

            AddEvent(call, explanation);
            return _longestDelay == TimeSpan.Zero
                ? exception
                : new TimeoutException($"{exception.Message.TrimEnd()} {explanation}", exception);
        }
#pragma warning disable CA1031 // A logger or a listener has thrown. The caller must learn of the timeout all the same.
        catch (Exception)
#pragma warning restore CA1031
        {
            return exception;
        }
    }

    /// <summary>Returns what a call is refused with because a deadline has passed, and reports it.</summary>
    /// <param name="context">The call.</param>
    /// <param name="message">What the exception says without diagnostics.</param>
    /// <param name="waited">How long the request waited for its turn at least; null if that is not known.</param>
    /// <param name="activation">The activation that makes the call or was to run it; null for a client.</param>
    internal string Refuse(IGrainCallContext context, string message, TimeSpan? waited, IGrainContext? activation)
    {
        try
        {
            var isCallee = context is IIncomingGrainCallContext;
            var call = new TimedOutCall(
                TimedOutCall.Deadline,
                context.Request,
                context.TargetId.ToString(),
                Sent: null,
                Elapsed: null,
                Timeout: null,
                Activity.Current);
            call = call with { Age = waited + s_uncountedWait };
            List<string> sentences = [];
            if (isCallee)
            {
                sentences.Add(
                    "How long it waited for its turn: "
                        + (waited is { } time
                            ? $"at least {CallExplanation.Seconds(time.TotalSeconds)}."
                            : $"{CallExplanation.NotKnown}."));
            }

            sentences.AddRange(CallExplanation.WhatTheGrainDoes(call, ReportOf(context, isCallee, activation)));
            var explanation = string.Join(' ', sentences);
            Metrics.CountTimeout(call.Request, call.Cause);
            LogRefusal(
                isCallee ? "callee" : "caller",
                call.Interface,
                call.Method,
                call.Target,
                explanation,
                waited?.TotalSeconds);
            AddEvent(call, explanation);
            return sentences.Count == 0 ? message : $"{message} {explanation}";
        }
#pragma warning disable CA1031 // A logger or a listener has thrown. The call must be refused all the same.
        catch (Exception)
#pragma warning restore CA1031
        {
            return message;
        }
    }

    internal static void AddEvent(TimedOutCall call, string explanation) =>
        call.Activity?.AddEvent(new ActivityEvent(EventName, tags: new ActivityTagsCollection
        {
            [CallMetrics.Cause] = call.Cause,
            [CallMetrics.Service] = call.Interface,
            [CallMetrics.Method] = call.Method,
            ["explanation"] = explanation,
        }));

    /// <summary>Tells what the grain does that makes a call, or did before a request to it was refused.</summary>
    private CallReport ReportOf(IGrainCallContext context, bool isCallee, IGrainContext? activation)
    {
        if (RuntimeShape.Current is not { } shape || activation is null)
        {
            return new CallReport();
        }

        if (!isCallee)
        {
            return shape.Read(activation, sender: null, id: null);
        }

        var request = shape.Sent((IIncomingGrainCallContext)context);
        return _services.GetService<CallReporter>()
            ?.WithEnded(new CallReport(), context.TargetId, request?.Sender, request?.Id) ?? new CallReport();
    }

    private Task<string> AskOutside(TimedOutCall call)
    {
        using (ExecutionContext.SuppressFlow())
        {
            return Task.Run(() => AskAndLog(call));
        }
    }

    private async Task<string> AskAndLog(TimedOutCall call)
    {
        var start = TimeProvider.System.GetTimestamp();
        var report = await Ask(call.Sent, call.Request is not null);
        var explanation = CallExplanation.Of(call, report, TimeProvider.System.GetElapsedTime(start));
        LogTimeout(
            call.Cause,
            call.Interface,
            call.Method,
            call.Target,
            CallExplanation.Seconds(call.Elapsed?.TotalSeconds),
            explanation,
            report.Silo ?? call.Sent?.Silo,
            report.Waiting,
            report.Running ?? report.Ran,
            report.Blocker,
            report.BlockerRunning,
            report.Forwards ?? call.Sent?.Forwards,
            call.Sent?.Retries);
        return explanation;
    }

    private async Task<CallReport> Ask(SentCall? sent, bool isCall)
    {
        if (sent is null)
        {
            return new CallReport
            {
                Problem = isCall
                    ? "The message of the call was not found, or too many calls have timed out at once, so nobody was "
                        + "asked about it."
                    : "The message of the call is not known, so nobody was asked about it.",
            };
        }

        if (_questionTimeout == TimeSpan.Zero)
        {
            return new CallReport { Problem = "The callee's silo was not asked." };
        }

        try
        {
            if (Interlocked.Increment(ref _questions) > MostQuestions)
            {
                return new CallReport
                {
                    Problem = "The callee's silo was not asked, because too many calls have timed out at once.",
                };
            }

            var question = _services.GetRequiredService<CallReportClient>().Ask(sent);
            question.Ignore();
            return await question.WaitAsync(_questionTimeout);
        }
        catch (TimeoutException)
        {
            return new CallReport
            {
                Problem = $"The callee's silo did not answer in {_questionTimeout}.{Status(sent)}",
            };
        }
#pragma warning disable CA1031 // Whatever Orleans or a filter of the application throws.
        catch (Exception failure)
#pragma warning restore CA1031
        {
            return new CallReport
            {
                Problem = $"Asking the callee's silo failed: {failure.Message.TrimEnd('.')}.{Status(sent)}",
            };
        }
        finally
        {
            Interlocked.Decrement(ref _questions);
        }
    }

    private string Status(SentCall sent) =>
        sent.Silo is { } silo && _services.GetService<ISiloStatusOracle>() is { } oracle
            ? $" Silo {silo} is {oracle.GetApproximateSiloStatus(SiloAddress.FromParsableString(silo))}."
            : string.Empty;
}
