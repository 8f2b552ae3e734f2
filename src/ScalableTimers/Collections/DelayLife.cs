using System.Runtime.CompilerServices;

namespace ScalableTimers.Collections;

/// <summary>Where a delay stands in its life, in one word, so that a compare-exchange decides who ends it.</summary>
/// <remarks>
/// The word says whether the delay is pending, whether its entry is linked, when it is due, and of what kind it is. A delay that has
/// ended may stay linked for a while; then its next life begins without the collection's lock, at whatever place it has, and
/// the deadline of the word is later than that of the place. Who expires the place moves the entry on.
/// </remarks>
internal struct DelayLife
{
    // Guards
    //   Pending    set by the collection's owner, with the lock if the entry is not linked; cleared by any thread
    //   Linked     the collection's lock; it says what IsLinked says whenever the lock is free
    //   Awaited, EndedLightly   any thread while Pending
    //   the rest   changes at the beginning; the deadline also while Pending, under the lock
    //
    // All by compare-exchange, except under the lock while nothing is pending nor linked.
    private const long Pending = 1;
    private const long Linked = 2;
    private const long Awaited = 4;
    private const long EndedLightly = 8;
    private const int OptionsShift = 4;
    private const long MayEndLightly = (long)DelayOptions.EndsLightly << OptionsShift;
    private const int DeadlineShift = 7;

    private long _word;

    internal readonly DelayOptions Options => (DelayOptions)((_word >> OptionsShift) & (long)DelayOptions.All);

    /// <summary>Whether it was cancelled before anybody waited, and nothing else says that it has ended.</summary>
    internal readonly bool HasEndedLightly => (Volatile.Read(in _word) & EndedLightly) != 0;

    /// <summary>Whether the entry may still be linked. Once it is not, and the delay has ended, it is not until the next life.</summary>
    internal readonly bool IsLinked => (Volatile.Read(in _word) & Linked) != 0;

    /// <summary>The word of a life that has ended, for <see cref="TryBeginLinked"/>.</summary>
    internal readonly long Read() => Volatile.Read(in _word);

    /// <summary>Begins a life where the entry is linked already, without the lock. By the collection's owner.</summary>
    /// <param name="word">What <see cref="Read"/> has returned.</param>
    /// <param name="options">Its kind.</param>
    /// <param name="deadlineTick">When it is due.</param>
    /// <returns>False if it is not linked, or has been unlinked since the word was read.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryBeginLinked(long word, DelayOptions options, long deadlineTick)
    {
        return (word & Linked) != 0
            && Interlocked.CompareExchange(ref _word, Word(options, deadlineTick) | Pending | Linked, word) == word;
    }

    /// <summary>Under the lock: begins a life; the caller links or moves the entry.</summary>
    internal void BeginLocked(DelayOptions options, long deadlineTick) =>
        Volatile.Write(ref _word, Word(options, deadlineTick) | Pending | Linked);

    /// <summary>Under the lock: a life that is over before it has begun.</summary>
    internal void SkipLocked(DelayOptions options) => Volatile.Write(ref _word, Word(options, 0) | (_word & Linked));

    /// <summary>Ends it, unless it has ended. The entry stays linked.</summary>
    /// <param name="mayBeLight">Whether the caller touches the entry no more if nobody awaits it.</param>
    /// <param name="isLight">Whether that is all, and the entry may be somebody else's already.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryEnd(bool mayBeLight, out bool isLight)
    {
        var word = Volatile.Read(in _word);
        while ((word & Pending) != 0)
        {
            isLight = mayBeLight && (word & (MayEndLightly | Awaited)) == MayEndLightly;
            var ended = isLight ? word ^ (Pending | EndedLightly) : word ^ Pending;
            var seen = Interlocked.CompareExchange(ref _word, ended, word);
            if (seen == word)
            {
                return true;
            }

            word = seen;
        }

        isLight = false;
        return false;
    }

    /// <summary>From now on somebody is to be told of the end.</summary>
    /// <returns>False if it has ended lightly, so that the caller has to tell.</returns>
    internal bool TryAwait()
    {
        var word = Volatile.Read(in _word);
        while ((word & (Pending | MayEndLightly)) == (Pending | MayEndLightly))
        {
            var seen = Interlocked.CompareExchange(ref _word, word | Awaited, word);
            if (seen == word)
            {
                return true;
            }

            word = seen;
        }

        return (word & EndedLightly) == 0;
    }

    /// <summary>Under the lock, for an entry that has been taken from its place: ends it if it is due.</summary>
    /// <param name="placeTick">The deadline of that place.</param>
    /// <param name="laterTick">When it is due, if that is later: the caller links it anew. Zero otherwise.</param>
    internal bool TryExpireLocked(long placeTick, out long laterTick)
    {
        laterTick = 0;
        var word = Volatile.Read(in _word);
        while (true)
        {
            var isPending = (word & Pending) != 0;
            if (isPending && word >> DeadlineShift > placeTick)
            {
                laterTick = word >> DeadlineShift;
                return false;
            }

            var seen = Interlocked.CompareExchange(ref _word, word & ~(Pending | Linked), word);
            if (seen == word)
            {
                return isPending;
            }

            word = seen;
        }
    }

    /// <summary>Under the lock: puts off when it is due. If it has not begun, it will not begin where its entry is linked.</summary>
    /// <param name="deadlineTick">When it must be due now, or nothing is done.</param>
    /// <param name="laterTick">When it is to be due.</param>
    /// <returns>True if the caller is to unlink the entry.</returns>
    internal bool PostponeLocked(long deadlineTick, long laterTick)
    {
        // One compare-exchange for both cases: whoever begins it may do so between two.
        var word = Volatile.Read(in _word);
        while (true)
        {
            var isPending = (word & Pending) != 0;
            if (isPending ? word >> DeadlineShift != deadlineTick : (word & Linked) == 0)
            {
                return false;
            }

            var later = isPending ? word + ((laterTick - deadlineTick) << DeadlineShift) : word & ~Linked;
            var seen = Interlocked.CompareExchange(ref _word, later, word);
            if (seen == word)
            {
                return !isPending;
            }

            word = seen;
        }
    }

    /// <summary>Under the lock: ends it with its service and says that it is not linked; the caller unlinks it.</summary>
    /// <param name="everything">Whether it ends even if it survives a stop.</param>
    internal bool TryStopLocked(bool everything)
    {
        var word = Volatile.Read(in _word);
        while ((word & Pending) != 0 && (everything || (Options & DelayOptions.SurvivesStop) == 0))
        {
            var seen = Interlocked.CompareExchange(ref _word, word & ~(Pending | Linked), word);
            if (seen == word)
            {
                return true;
            }

            word = seen;
        }

        return false;
    }

    /// <summary>Under the lock: says that an entry which has ended is not linked; the caller unlinks it.</summary>
    /// <returns>False if it is not linked, or its next life has begun.</returns>
    internal bool TryUnlinkLocked()
    {
        var word = Volatile.Read(in _word);
        while ((word & (Pending | Linked)) == Linked)
        {
            var seen = Interlocked.CompareExchange(ref _word, word & ~Linked, word);
            if (seen == word)
            {
                return true;
            }

            word = seen;
        }

        return false;
    }

    private static long Word(DelayOptions options, long deadlineTick) => (deadlineTick << DeadlineShift) | ((long)options << OptionsShift);
}
