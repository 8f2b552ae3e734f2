namespace TransactionsDemo.Timers;

/// <summary>The names that the command line and the tables use.</summary>
internal static class TimerKindExtensions
{
    public static string ToName(this TimerKind kind) => kind switch
    {
        TimerKind.System => "system",
        TimerKind.OneLock => "onelock",
        TimerKind.Stock => "stock",
        TimerKind.Scalable => "scalable",
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "There are no such timers."),
    };
}
