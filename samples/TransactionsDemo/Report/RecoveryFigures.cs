using TransactionsDemo.Load;

namespace TransactionsDemo.Report;

/// <summary>How a bank came back after the death of a silo.</summary>
internal sealed record RecoveryFigures(
    double KilledAtMilliseconds,
    double? DeclaredDeadAfterMilliseconds,
    double? RecoveredAfterMilliseconds,
    double CommitsPerSecondBefore,
    double CommitsPerSecondAfter,
    long FailedAfterKill,
    IReadOnlyList<int> CommitsBySecond)
{
    public static RecoveryFigures Of(Recovery recovery) => new(
        recovery.KilledAt.TotalMilliseconds,
        recovery.DeclaredDeadAfter?.TotalMilliseconds,
        recovery.RecoveredAfter?.TotalMilliseconds,
        recovery.CommitsPerSecondBefore,
        recovery.CommitsPerSecondAfter,
        recovery.FailedAfterKill,
        recovery.CommitsBySecond);
}
