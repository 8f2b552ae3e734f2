namespace Cluster.Bank;

/// <summary>How a silo's waits have ended.</summary>
internal sealed record WaitFigures(long Ended, long Early, long Lost, long Reminders, long EarlyReminders);
