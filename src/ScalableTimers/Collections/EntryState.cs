using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace ScalableTimers.Collections;

/// <summary>
/// Where a pooled entry stands in its lives, in one word: who may end the present life is decided by a compare-exchange
/// of it.
/// </summary>
/// <remarks>
/// <para>
/// The word holds the number of the life (60 bits, which do not wrap), two bits of options, and one of three phases:
/// idle, live, or ended with its result still to be read. The transitions, each a method of its own, are:
/// </para>
/// <code>
/// from   to     method       by whom                                          the loser of a race
/// idle   live   BeginLocked  the thread that holds the entry, under the lock   -
/// live   idle   TryEnd       any thread, for a callback                        finds another word and does nothing
/// live   ended  TryEnd       any thread, for a delay                           finds another word and does nothing
/// idle   ended  SkipLocked   the thread that holds the entry, under the lock   -
/// ended  idle   Release      the one reader of the delay                       -
/// </code>
/// <para>
/// Lives begin under the lock of the entry's collection and nowhere else. So an entry that is seen not to live under
/// that lock does not live before the lock is free, and it may be unlinked, moved or kept for another life without
/// looking again.
/// </para>
/// </remarks>
internal struct EntryState
{
    private const long PhaseMask = 3;
    private const long Idle = 0;
    private const long Live = 1;
    private const long Ended = 2;
    private const int OptionsShift = 2;
    private const int LifeShift = 4;
    private const int OptionsMask = (1 << (LifeShift - OptionsShift)) - 1;

    private long _word;

    /// <summary>The word. That of a live entry names its life: it never comes again.</summary>
    internal readonly long Read() => Volatile.Read(in _word);

    /// <summary>The two bits that the life was begun with. What they mean is the entry's business.</summary>
    internal readonly int Options => (int)(_word >> OptionsShift) & OptionsMask;

    internal static bool IsIdle(long word) => (word & PhaseMask) == Idle;

    internal static bool IsLive(long word) => (word & PhaseMask) == Live;

    /// <summary>Begins a life. Called under the collection's lock by the thread that holds the entry.</summary>
    /// <returns>The word of the life.</returns>
    internal long BeginLocked(int options = 0) => StartLocked(options, Live);

    /// <summary>Begins a life that is over already. Called like <see cref="BeginLocked"/>.</summary>
    internal void SkipLocked(int options) => StartLocked(options, Ended);

    /// <summary>Ends the life of that word, unless it has ended already. Called by any thread.</summary>
    /// <param name="life">The word of a live entry.</param>
    /// <param name="hasResult">Whether the entry has a result to be read before its next life.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryEnd(long life, bool hasResult) =>
        Interlocked.CompareExchange(ref _word, EndOf(life, hasResult), life) == life;

    /// <summary>What the word of a live entry becomes when it ends.</summary>
    internal static long EndOf(long life, bool hasResult) => (life & ~PhaseMask) | (hasResult ? Ended : Idle);

    /// <summary>Says that the result has been read. Called by the one reader.</summary>
    internal void Release()
    {
        Debug.Assert(
            (_word & PhaseMask) == Ended, "Only an entry that has ended and has not been read yet is released.");
        Volatile.Write(ref _word, _word & ~PhaseMask);
    }

    private long StartLocked(int options, long phase)
    {
        Debug.Assert((options & ~OptionsMask) == 0, "The options do not fit their two bits.");
        Debug.Assert((_word & PhaseMask) == Idle, "Only an idle entry begins a life.");
        var word = (((_word >> LifeShift) + 1) << LifeShift) | ((uint)options << OptionsShift) | phase;
        Volatile.Write(ref _word, word);
        return word;
    }
}
