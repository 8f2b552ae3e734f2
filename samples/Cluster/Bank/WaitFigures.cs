namespace Cluster.Bank;

/// <summary>How the waits of a silo have ended.</summary>
internal sealed record WaitFigures(long Ended, long Early, long Lost, long Reminders, long EarlyReminders);
