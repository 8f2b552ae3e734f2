namespace Orleans.Timers.Scalable;

/// <summary>A fingerprint of one message's time to live, its sender and its target, in 31 bits; zero for none.</summary>
/// <remarks>
/// <para>
/// A message's time to live runs down while it waits, so what has run down tells how long it waited: if one knows with what it began. That is
/// the response timeout of the sender, which is most often the receiver's too, and the mark says whether it is. A mark is
/// compared, never decoded.
/// </para>
/// <para>
/// Sender and target are part of it because a silo without the plugin passes the header on, unchanged, with calls of its own, whose
/// messages live by other times. To mistake one for the other takes a collision of one in two thousand millions.
/// </para>
/// </remarks>
internal readonly record struct TimeToLiveMark(int Value)
{
    internal static TimeToLiveMark Of(TimeSpan timeToLive, GrainId? sender, GrainId target)
    {
        // An outgoing filter of a client does not know what the client is called.
        var from = sender is { } id && !id.IsClient() ? id.GetUniformHashCode() : 0;
        var mixed = ((ulong)(long)timeToLive.TotalMilliseconds * 0x9E3779B97F4A7C15) ^ (((ulong)from << 32) | target.GetUniformHashCode());
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        return new TimeToLiveMark(Math.Max(1, (int)(mixed >> 33)));
    }
}
