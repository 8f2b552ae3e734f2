using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace ScalableTimers.Queues;

/// <summary>
/// The state of a pooled entry in one word. The entry lives many lives, and a compare-exchange of the word decides
/// which thread ends the current one.
/// </summary>
/// <remarks>
/// The word holds the number of the life (59 bits, which do not wrap), three bits of options, and one of four phases:
/// idle, live, ended with a result to read, or claimed by its reader. docs/design.md has a table of who changes it.
/// </remarks>
internal struct EntryState
{
    private const long PhaseMask = 3;
    private const long Idle = 0;
    private const long Live = 1;
    private const long Ended = 2;
    private const long Claimed = 3;
    private const int OptionsShift = 2;
    private const int LifeShift = 5;
    private const int OptionsMask = (1 << (LifeShift - OptionsShift)) - 1;

    private long _word;

    /// <summary>The word. A live entry's word identifies its life and never recurs.</summary>
    internal readonly long Read() => Volatile.Read(in _word);

    /// <summary>The three option bits set when the life began. The entry defines what they mean.</summary>
    internal readonly int Options => (int)(_word >> OptionsShift) & OptionsMask;

    internal static bool IsLive(long word) => (word & PhaseMask) == Live;

    /// <summary>Begins a life. Called under the queue's lock by the thread that holds the entry.</summary>
    /// <param name="options">The entry's options for the life.</param>
    /// <param name="hasEnded">Whether the life has ended already, with a result to be read.</param>
    /// <returns>The word of the life.</returns>
    internal long BeginLocked(int options, bool hasEnded = false)
    {
        Debug.Assert((options & ~OptionsMask) == 0, "The options do not fit into three bits.");
        Debug.Assert((_word & PhaseMask) == Idle, "Only an idle entry may begin a life.");
        var nextLife = (_word | ((1 << LifeShift) - 1)) + 1;
        var word = nextLife | ((uint)options << OptionsShift) | (hasEnded ? Ended : Live);
        Volatile.Write(ref _word, word);
        return word;
    }

    /// <summary>Ends a life, unless it has ended already. Called by any thread.</summary>
    /// <param name="life">The word of the life, as read from the live entry.</param>
    /// <param name="hasResult">Whether the entry has a result to be read before its next life.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryEnd(long life, bool hasResult) =>
        Interlocked.CompareExchange(ref _word, (life & ~PhaseMask) | (hasResult ? Ended : Idle), life) == life;

    /// <summary>Claims the result of a life that has ended. Code that awaits a delay twice has two readers.</summary>
    /// <param name="life">The word, as read before the reader's right to this life was checked.</param>
    internal bool TryClaim(long life) =>
        (life & PhaseMask) == Ended && Interlocked.CompareExchange(ref _word, life | Claimed, life) == life;

    /// <summary>Makes the entry idle again after its result has been read, by the reader that claimed it.</summary>
    internal void Release()
    {
        Debug.Assert((_word & PhaseMask) == Claimed, "Only a claimed entry may be released.");
        Volatile.Write(ref _word, _word & ~PhaseMask);
    }
}
