using Orleans.Configuration;

namespace Orleans.Timers.Scalable;

/// <summary>
/// Checks the bounds of the phases against each other. For a bound that is not set, the value in force counts.
/// </summary>
internal static class TransactionPhaseRules
{
    internal static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);
    internal static readonly TimeSpan Longest = TimeSpan.FromDays(1);

    /// <summary>The timeout that Orleans passes to each transaction and never reads.</summary>
    internal static readonly TimeSpan StatedTimeout = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Returns a sentence for each contradiction: a bound would never be reached, or would turn clear outcomes into
    /// doubt.
    /// </summary>
    internal static IEnumerable<string> Contradictions(
        TransactionPhaseOptions phases, TransactionalStateOptions states, TimeSpan response)
    {
        if ((phases.Response ?? phases.Prepare) is not null && response <= states.PrepareTimeout)
        {
            yield return TooSoon(nameof(phases.Response), response, states);
        }

        if (phases.Commit is { } commit && commit <= states.PrepareTimeout)
        {
            yield return TooSoon(nameof(phases.Commit), commit, states);
        }

        foreach (var error in EndedByResponse(phases, response))
        {
            yield return error;
        }
    }

    /// <summary>
    /// Returns a sentence for each bound that a client cannot enforce, or would never reach. A client starts
    /// transactions and resolves them; all else happens in silos.
    /// </summary>
    internal static IEnumerable<string> ClientErrors(TransactionPhaseOptions phases, TimeSpan response)
    {
        (string Name, TimeSpan? Value)[] ofSilos =
        [
            (nameof(phases.LockAcquisition), phases.LockAcquisition),
            (nameof(phases.LockHold), phases.LockHold),
            (nameof(phases.Prepare), phases.Prepare),
            (nameof(phases.Confirm), phases.Confirm),
            (nameof(phases.ConfirmRetry), phases.ConfirmRetry),
            (nameof(phases.Ping), phases.Ping),
        ];
        foreach (var (name, value) in ofSilos)
        {
            if (value is not null)
            {
                yield return $"{Of(name, value.Value)} is set on a client, but only a silo can enforce it.";
            }
        }

        foreach (var error in EndedByResponse(phases, response))
        {
            yield return error;
        }
    }

    /// <summary>Returns a sentence for each combination that works, but probably not as it is meant.</summary>
    internal static IEnumerable<string> Doubts(
        TransactionPhaseOptions phases, TransactionalStateOptions states, TimeSpan response)
    {
        if ((phases.Response ?? phases.Prepare) is null && response <= states.PrepareTimeout)
        {
            // This was so without any bound or measurement, so the silo starts all the same.
            yield return TooSoon(nameof(phases.Response), response, states);
        }

        var deadline = phases.Deadline ?? StatedTimeout;
        if ((phases.LockHold ?? phases.Deadline) is not null && states.LockTimeout < deadline)
        {
            var allowed = phases.Deadline is null
                ? $"the {StatedTimeout} that Orleans gives a transaction, and "
                    + $"{nameof(TransactionPhaseOptions)}.{nameof(phases.Deadline)} is not set"
                : Of(nameof(phases.Deadline), deadline);
            yield return
                $"{Of(nameof(phases.LockHold), states.LockTimeout)} is shorter than {allowed}. So a transaction can "
                    + "lose its locks and abort while it may still run. Make "
                    + $"{nameof(phases.LockHold)} longer or set a shorter {nameof(phases.Deadline)}. (Later versions "
                    + "of Orleans hold locks for the longer of the two.)";
        }

        foreach (var doubt in LateDeadline(phases, response))
        {
            yield return doubt;
        }
    }

    /// <summary>Returns a sentence if callers would not learn of a missed deadline.</summary>
    internal static IEnumerable<string> LateDeadline(TransactionPhaseOptions phases, TimeSpan response)
    {
        if (phases.Deadline >= response)
        {
            yield return
                $"{Of(nameof(phases.Deadline), phases.Deadline.Value)} is not shorter than "
                    + $"{Of(nameof(phases.Response), response)}. So callers give up before they can learn of a missed "
                    + $"deadline. Make {nameof(phases.Deadline)} shorter or {nameof(phases.Response)} longer.";
        }
    }

    private static IEnumerable<string> EndedByResponse(TransactionPhaseOptions phases, TimeSpan response)
    {
        (string, TimeSpan?)[] calls =
        [
            (nameof(phases.Commit), phases.Commit),
            (nameof(phases.Confirm), phases.Confirm),
            (nameof(phases.Abort), phases.Abort),
        ];
        foreach (var (name, value) in calls)
        {
            if (value >= response)
            {
                yield return
                    $"{Of(name, value.Value)} is not shorter than {Of(nameof(phases.Response), response)}, so the "
                        + $"response timeout would end the call first. Make {name} shorter or "
                        + $"{nameof(phases.Response)} longer.";
            }
        }
    }

    private static string TooSoon(string property, TimeSpan value, TransactionalStateOptions states) =>
        $"{Of(property, value)} is not longer than "
            + $"{Of(nameof(TransactionPhaseOptions.Prepare), states.PrepareTimeout)}. So callers would be in doubt "
            + $"before a transaction's manager can abort. Make {property} longer or "
            + $"{nameof(TransactionPhaseOptions.Prepare)} shorter.";

    private static string Of(string property, TimeSpan value) =>
        $"{nameof(TransactionPhaseOptions)}.{property} ({value})";
}
