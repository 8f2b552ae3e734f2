namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>Random due times of whole milliseconds, created beforehand and the same in every round.</summary>
internal sealed class DueTimes
{
    private readonly TimeSpan[] _dueTimes = new TimeSpan[1 << 16];

    internal DueTimes(int shortest, int longest)
    {
        var random = new Random(1);
        for (var i = 0; i < _dueTimes.Length; i++)
        {
            _dueTimes[i] = TimeSpan.FromMilliseconds(random.Next(shortest, longest + 1));
        }

        Longest = TimeSpan.FromMilliseconds(longest);
        Mean = TimeSpan.FromMilliseconds((shortest + longest) / 2.0);
    }

    internal TimeSpan Longest { get; }

    internal TimeSpan Mean { get; }

    internal TimeSpan this[int i] => _dueTimes[i & (_dueTimes.Length - 1)];
}
