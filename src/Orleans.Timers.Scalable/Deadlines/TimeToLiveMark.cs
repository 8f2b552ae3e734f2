namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>
/// A fingerprint of one message's time to live, its sender and its target, in 31 bits; zero for none.
/// </summary>
/// <remarks>
/// <para>
/// A message's time to live runs down while it waits, so the difference to its initial value tells how long it waited.
/// The initial value is the sender's response timeout, which is most often the receiver's too. The mark tells whether
/// it is. A mark is compared, never decoded.
/// </para>
/// <para>
/// Sender and target are part of the mark because a silo without the plugin passes the header on unchanged with its own
/// calls, whose messages have other times to live. Mistaking such a call takes a hash collision, with odds of one in
/// two thousand millions.
/// </para>
/// </remarks>
internal readonly record struct TimeToLiveMark(int Value)
{
    internal static TimeToLiveMark Of(TimeSpan timeToLive, GrainId? sender, GrainId target)
    {
        // An outgoing filter of a client does not know the client's id.
        var from = sender is { } id && !id.IsClient() ? id.GetUniformHashCode() : 0;
        var mixed = ((ulong)(long)timeToLive.TotalMilliseconds * 0x9E3779B97F4A7C15)
            ^ (((ulong)from << 32) | target.GetUniformHashCode());
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        return new TimeToLiveMark(Math.Max(1, (int)(mixed >> 33)));
    }
}
