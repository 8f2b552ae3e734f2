namespace ScalableTimers.StressTests.Recording;

/// <summary>Counts the faults among many items, and shows a few.</summary>
internal static class Offenders
{
    private const int Shown = 8;

    /// <summary>Returns an empty string if there is no fault.</summary>
    internal static string Describe(IEnumerable<string?> faults)
    {
        var total = 0;
        var found = new List<string>();
        foreach (var fault in faults)
        {
            if (fault is not null)
            {
                found.Add($"{Environment.NewLine}  #{total} {fault}");
            }

            total++;
        }

        return found.Count == 0
            ? ""
            : $"{found.Count:N0} of {total:N0} did not end as promised:{string.Concat(found.Take(Shown))}";
    }
}
