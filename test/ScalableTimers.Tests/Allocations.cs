namespace ScalableTimers.Tests;

/// <summary>Measures to the byte what an operation allocates, all on one thread.</summary>
internal static class Allocations
{
    /// <summary>How often <see cref="Least"/> runs the operation in a round.</summary>
    internal const int Operations = 2_000;

    /// <summary>How often it runs the operation in all, at most.</summary>
    internal const int MostOperations = (Rounds + 1) * Operations;

    private const int Rounds = 8;

    /// <summary>The bytes of the round that allocates the least. The first round warms up and does not count.</summary>
    /// <remarks>What every operation allocates shows in all rounds; an unrelated allocation does not.</remarks>
    internal static long Least(Action operation)
    {
        var least = long.MaxValue;
        for (var round = 0; round <= Rounds && least > 0; round++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < Operations; i++)
            {
                operation();
            }

            var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            least = round == 0 ? least : Math.Min(least, allocated);
        }

        return least;
    }
}
