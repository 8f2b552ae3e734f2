namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>A 31-bit fingerprint of a message's time to live, sender and target; zero for none.</summary>
/// <remarks>
/// Tells whether sender and receiver have the same response timeout; see <see cref="QueueTime"/>. It includes sender
/// and target because a silo without the plugin passes the header on unchanged with its own calls, whose messages have
/// other times to live. Mistaking such a call takes a hash collision, with odds of one in two billion.
/// </remarks>
internal readonly record struct TimeToLiveMark(int Value)
{
    internal static TimeToLiveMark Of(TimeSpan timeToLive, GrainId? sender, GrainId target)
    {
        // A client's outgoing filter does not know the client's id.
        var from = sender is { } id && !id.IsClient() ? id.GetUniformHashCode() : 0;
        var mixed = ((ulong)(long)timeToLive.TotalMilliseconds * 0x9E3779B97F4A7C15)
            ^ (((ulong)from << 32) | target.GetUniformHashCode());
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        return new TimeToLiveMark(Math.Max(1, (int)(mixed >> 33)));
    }
}
