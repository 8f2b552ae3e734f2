using System.Globalization;

namespace Orleans.Timers.Scalable;

/// <summary>Says in sentences what is known of a call that has timed out.</summary>
internal static class CallExplanation
{
    internal const string NotKnown = "not known";

    /// <summary>Times of two machines are compared, and the step of Orleans' clock is as large.</summary>
    private const double Blur = 0.02;

    /// <param name="call">The call.</param>
    /// <param name="report">What the callee's silo knows.</param>
    /// <param name="asked">How long it took to ask. The report is from some moment in that time.</param>
    internal static string Of(TimedOutCall call, CallReport report, TimeSpan asked)
    {
        var silo = report.Silo ?? call.Sent?.Silo ?? NotKnown;
        List<string> sentences = [.. WhatIsWrong(call, report, silo, asked), .. WhatTheGrainDoes(call, report)];
        if ((report.Forwards ?? call.Sent?.Forwards) is > 0 and var forwards)
        {
            sentences.Add($"The request was forwarded {forwards} times.");
        }

        if (call.Sent?.Retries is > 0 and var retries)
        {
            sentences.Add($"It was sent again {retries} times.");
        }

        return string.Join(' ', sentences);
    }

    /// <summary>Says what the grain does or did beside the request.</summary>
    internal static IEnumerable<string> WhatTheGrainDoes(TimedOutCall call, CallReport report)
    {
        if (report.Blocker is not null)
        {
            yield return $"The grain has been running {report.Blocker} for {Seconds(report.BlockerRunning)}.";
        }

        if (report.State is not (null or "Valid"))
        {
            yield return $"The activation is in the state {report.State}.";
        }

        // One that ended before the call began has not held it up.
        if (report.Last is not null && !(report.LastEnded > call.Age?.TotalSeconds))
        {
            yield return
                $"Before, the grain ran {report.Last} for {Seconds(report.LastRan)}, until "
                    + $"{Seconds(report.LastEnded)} ago.";
        }
    }

    internal static string Seconds(double? time) =>
        time is { } known ? string.Create(CultureInfo.InvariantCulture, $"{known:0.###} s") : NotKnown;

    private static IEnumerable<string> WhatIsWrong(
        TimedOutCall call, CallReport report, string silo, TimeSpan asked)
    {
        if (report.Problem is not null && !report.IsFound)
        {
            yield return report.Problem;
        }
        else if (report.Waiting is not null)
        {
            yield return
                $"The request has been waiting for its turn on silo {silo} for {Seconds(report.Waiting)}, with "
                    + $"{report.Before} others before it.";
        }
        else if (report.Running is { } running)
        {
            yield return $"The request has been running on silo {silo} for {Seconds(running)} and has not ended.";
            if (call.Age is { } age)
            {
                var before = Math.Max(0, (age + asked).TotalSeconds - running);
                yield return $"Before that it was on its way or waited for its turn for {Seconds(before)} at most.";
            }
        }
        else if (report.Ended is { } ended)
        {
            yield return
                $"The request ran on silo {silo} for {Seconds(report.Ran)} and ended {Seconds(ended)} ago: its answer "
                    + (IsLate(call, ended, asked) ? "came too late." : "was lost or is still on its way.");
        }
        else if (report.HasActivation)
        {
            yield return
                $"Silo {silo} has an activation of the grain but not the request, which has not arrived there, ended "
                    + $"within {EndedRequests.Long.TotalMilliseconds} ms, or ended before the last "
                    + $"{EndedRequests.Places} long requests of the silo.";
        }
        else
        {
            yield return $"Silo {silo} has no activation of the grain.";
        }
    }

    private static bool IsLate(TimedOutCall call, double ended, TimeSpan asked) =>
        call.Elapsed is { } elapsed
        && call.Timeout is { } timeout
        && ended <= (elapsed + asked - timeout).TotalSeconds + Blur;
}
