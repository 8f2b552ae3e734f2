namespace ScalableTimers.StressTests.Recording;

/// <summary>Counts the faults among many items, and shows a few.</summary>
internal static class Offenders
{
    private const int Shown = 8;

    /// <summary>Returns an empty string if there is no fault.</summary>
    internal static string Describe(IEnumerable<string?> faults)
    {
        var all = faults.ToList();
        var found = all.Index().Where(static fault => fault.Item is not null).ToList();
        var shown = found.Take(Shown).Select(static fault => $"{Environment.NewLine}  #{fault.Index} {fault.Item}");
        return found.Count == 0
            ? ""
            : $"{found.Count:N0} of {all.Count:N0} did not end as promised:{string.Concat(shown)}";
    }
}
