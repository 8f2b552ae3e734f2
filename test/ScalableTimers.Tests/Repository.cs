namespace ScalableTimers.Tests;

/// <summary>The source tree that the tests were built from.</summary>
internal static class Repository
{
    internal static string Root { get; } = FindRoot();

    internal static string Path(params string[] parts) => System.IO.Path.Combine([Root, .. parts]);

    private static string FindRoot()
    {
        for (var at = new DirectoryInfo(AppContext.BaseDirectory); at is not null; at = at.Parent)
        {
            if (File.Exists(System.IO.Path.Combine(at.FullName, "ScalableTimers.slnx")))
            {
                return at.FullName;
            }
        }

        throw new DirectoryNotFoundException($"No folder above {AppContext.BaseDirectory} holds ScalableTimers.slnx.");
    }
}
