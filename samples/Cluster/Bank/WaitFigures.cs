namespace Cluster.Bank;

/// <summary>How the waits of a silo have ended.</summary>
internal sealed record WaitFigures(long Ended, long Early, long Lost, long Reminders, long EarlyReminders)
{
    public static readonly WaitFigures None = new(0, 0, 0, 0, 0);

    public static WaitFigures operator +(WaitFigures one, WaitFigures other) => new(
        one.Ended + other.Ended,
        one.Early + other.Early,
        one.Lost + other.Lost,
        one.Reminders + other.Reminders,
        one.EarlyReminders + other.EarlyReminders);
}
