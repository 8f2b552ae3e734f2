using Orleans.Configuration;

namespace Orleans.Timers.Scalable;

/// <summary>What the bounds of the phases mean to each other, with what is in force where one is not set.</summary>
internal static class TransactionPhaseRules
{
    internal static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);
    internal static readonly TimeSpan Longest = TimeSpan.FromDays(1);

    /// <summary>What Orleans passes to each transaction as its time-out, and never looks at.</summary>
    internal static readonly TimeSpan StatedTimeout = TimeSpan.FromSeconds(10);

    /// <summary>Contradictions, a sentence each: one bound would never be reached, or would turn clear outcomes into doubt.</summary>
    internal static IEnumerable<string> Contradictions(TransactionPhaseOptions phases, TransactionalStateOptions states, TimeSpan response)
    {
        if ((phases.Response ?? phases.Prepare) is not null && response <= states.PrepareTimeout)
        {
            yield return TooSoon(nameof(phases.Response), response, states);
        }

        if (phases.Commit is { } commit && commit <= states.PrepareTimeout)
        {
            yield return TooSoon(nameof(phases.Commit), commit, states);
        }

        foreach (var (name, value) in ((string, TimeSpan?)[])[(nameof(phases.Commit), phases.Commit), (nameof(phases.Confirm), phases.Confirm), (nameof(phases.Abort), phases.Abort)])
        {
            if (value >= response)
            {
                yield return $"{Of(name, value.Value)} is not shorter than {Of(nameof(phases.Response), response)}, which ends the call first.";
            }
        }
    }

    /// <summary>What works, but probably not as it is meant; a sentence each.</summary>
    internal static IEnumerable<string> Doubts(TransactionPhaseOptions phases, TransactionalStateOptions states, TimeSpan response)
    {
        if ((phases.Response ?? phases.Prepare) is null && response <= states.PrepareTimeout)
        {
            // It was so before anybody asked for bounds or measurements, which is no reason not to start.
            yield return TooSoon(nameof(phases.Response), response, states);
        }

        var deadline = phases.Deadline ?? StatedTimeout;
        if ((phases.LockHold ?? phases.Deadline) is not null && states.LockTimeout < deadline)
        {
            yield return $"{Of(nameof(phases.LockHold), states.LockTimeout)} is shorter than {Of(nameof(phases.Deadline), deadline)}: a transaction can lose its locks while it may still run, and abort for that. (Later versions of Orleans hold locks for the longer of the two.)";
        }

        if (phases.Deadline >= response)
        {
            yield return $"{Of(nameof(phases.Deadline), deadline)} is not shorter than {Of(nameof(phases.Response), response)}: callers give up before they can hear of it.";
        }
    }

    private static string TooSoon(string property, TimeSpan value, TransactionalStateOptions states) =>
        $"{Of(property, value)} is not longer than {Of(nameof(TransactionPhaseOptions.Prepare), states.PrepareTimeout)}: callers would be in doubt before a transaction's manager can abort.";

    private static string Of(string property, TimeSpan value) => $"{nameof(TransactionPhaseOptions)}.{property} ({value})";
}
