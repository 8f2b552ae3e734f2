using System.Diagnostics;

namespace ScalableTimers.StressTests.Soaking.Recording;

/// <summary>
/// Timers that fired too late. They are kept until the machine's pauses of that time are known, and are then checked.
/// </summary>
internal sealed class LateOnes(SoakTally tally, PauseWitness witness)
{
    /// <summary>
    /// The time by which a machine without pauses may exceed the promise. Callbacks of this run may block for 10 ms,
    /// several at once, and batches of 128 share the processors with the threads that schedule. Beside other tests, on
    /// any machine, only a timer that hangs counts as late.
    /// </summary>
    private static readonly long s_bound = StressTime.Units(TimeSpan.FromSeconds(SoakLength.IsAskedFor ? 0.25 : 10));

    private static readonly long s_step = StressTime.Units(TimeSpan.FromMilliseconds(20));

    /// <summary>The distance from a timer's lateness within which pauses count.</summary>
    private static readonly long s_around = StressTime.Units(TimeSpan.FromSeconds(1));

    /// <summary>How long after its due time, and after all pauses, a timer counts as lost.</summary>
    private static readonly long s_lost = StressTime.Units(TimeSpan.FromSeconds(15));

    // A pause of the machine leaves a million late timers here, and a ConcurrentQueue would keep the memory for them.
    private readonly Lock _gate = new();
    private readonly Queue<(SoakKind Kind, SoakSubject Subject, long DueAt, long FiredAt)> _suspects = new();

    /// <summary>How many were later than the bound but are explained by pauses.</summary>
    internal long Explained { get; private set; }

    internal void Consider(SoakKind kind, SoakSubject subject, long dueAt, long firedAt)
    {
        if (firedAt - dueAt > subject.Allowance(kind) + s_bound)
        {
            lock (_gate)
            {
                _suspects.Enqueue((kind, subject, dueAt, firedAt));
            }
        }
    }

    /// <summary>Whether a timer that was due at this time and has not fired must be lost.</summary>
    internal bool IsLost(long dueAt)
    {
        var overdue = Stopwatch.GetTimestamp() - dueAt;
        return overdue > s_lost && overdue - witness.Within(dueAt, long.MaxValue) > s_lost;
    }

    /// <summary>Called by one thread now and then.</summary>
    internal void Judge()
    {
        var known = new Dictionary<(long DueAt, long FiredAt), long>();
        while (TryTake(out var suspect))
        {
            var late = suspect.FiredAt - suspect.DueAt;
            var paused = Explanation(known, suspect.DueAt, suspect.FiredAt);
            if (late <= suspect.Subject.Allowance(suspect.Kind) + s_bound + paused)
            {
                Explained++;
                continue;
            }

            tally.Report(
                SoakFault.Late,
                $"{suspect.Kind} of {suspect.Subject} fired {StressTime.ToMilliseconds(late):F1} ms late, of which the "
                + $"machine and the pool explain {StressTime.ToMilliseconds(paused):F1} ms");
        }
    }

    /// <summary>Takes the next timer, if the pauses around its time are known.</summary>
    private bool TryTake(out (SoakKind Kind, SoakSubject Subject, long DueAt, long FiredAt) suspect)
    {
        lock (_gate)
        {
            if (_suspects.TryPeek(out suspect) && suspect.FiredAt + s_around < witness.KnownUntil)
            {
                _suspects.Dequeue();
                if (_suspects.Count == 0)
                {
                    _suspects.TrimExcess();
                }

                return true;
            }

            return false;
        }
    }

    /// <summary>The lateness that the machine and the pool can have caused.</summary>
    /// <remarks>
    /// A timer passes through the driver's wake-up source, the driver and the pool. On a busy machine each of them may
    /// have to wait as long as the witness did at about that time, but not at the same moments. After a pause this is
    /// computed for a hundred thousand timers, nearly all of the same time. So the result is kept for all timers within
    /// 20 ms.
    /// </remarks>
    private long Explanation(Dictionary<(long DueAt, long FiredAt), long> known, long dueAt, long firedAt)
    {
        var key = (dueAt / s_step, firedAt / s_step);
        if (!known.TryGetValue(key, out var explained))
        {
            explained = witness.Within(dueAt, firedAt) + (4 * witness.Longest(dueAt - s_around, firedAt + s_around));
            known.Add(key, explained);
        }

        return explained;
    }
}
