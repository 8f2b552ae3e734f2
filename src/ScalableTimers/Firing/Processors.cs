using ScalableTimers.Clock;

namespace ScalableTimers.Firing;

/// <summary>Tells a process that computes from one whose threads mostly wait.</summary>
internal sealed class Processors(TickClock clock)
{
    // A container may be limited to a part of the processors it counts: to a quarter of its only one, say.
    private const int PartOfTheProcessors = 8;

    private static readonly TimeSpan s_span = TimeSpan.FromMilliseconds(250);

    // Guards
    //   all fields   any thread; a guess, because two may look at once and see nearly the same
    private Timestamp _seenAt;
    private TimeSpan _takenThen;
    private bool _areBusy;

    /// <summary>
    /// Whether the process has taken an eighth of all processors' time or more between two looks, at least a quarter of
    /// a second apart. Looks if the last look was so long ago.
    /// </summary>
    internal bool AreBusy(Timestamp now)
    {
        var span = clock.ToTimeSpan(now - _seenAt);
        if (span >= s_span)
        {
            var taken = Environment.CpuUsage.TotalTime;
            _areBusy = (taken - _takenThen) * PartOfTheProcessors >= span * Environment.ProcessorCount;
            (_seenAt, _takenThen) = (now, taken);
        }

        return _areBusy;
    }
}
