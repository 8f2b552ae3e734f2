using System.Runtime;
using System.Runtime.InteropServices;

namespace TransactionsDemo.Report;

/// <summary>What the figures were taken on.</summary>
internal sealed record MachineFigures(
    int ProcessorCount, string Runtime, string OperatingSystem, bool IsServerGC, DateTime TakenAt)
{
    public static MachineFigures Here => new(
        Environment.ProcessorCount,
        RuntimeInformation.FrameworkDescription,
        RuntimeInformation.OSDescription,
        GCSettings.IsServerGC,
        DateTime.UtcNow);

    public override string ToString() =>
        $"{Runtime}, {ProcessorCount} processors, {OperatingSystem}, {TakenAt:yyyy-MM-dd HH:mm} UTC";
}
