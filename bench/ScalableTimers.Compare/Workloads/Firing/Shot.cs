using System.Diagnostics;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>One timer of a <see cref="Volley"/>: when it is due and when it fired, by the precise clock.</summary>
internal sealed class Shot
{
    internal static readonly TimerCallback Fire = static shot => ((Shot)shot!).Hit();

    private long _firedAt;

    internal long DueAt { get; private set; }

    /// <summary>Gets when it fired; zero before.</summary>
    internal long FiredAt => Volatile.Read(ref _firedAt);

    /// <summary>Gets or sets what must stay alive while the timer is pending.</summary>
    internal object? Keep { get; set; }

    internal void Hit() => Volatile.Write(ref _firedAt, Stopwatch.GetTimestamp());

    internal void Prepare(long dueAt)
    {
        DueAt = dueAt;
        _firedAt = 0;
        Keep = null;
    }
}
