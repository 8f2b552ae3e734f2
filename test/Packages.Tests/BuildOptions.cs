using System.Reflection;

namespace Packages.Tests;

/// <summary>What this project was built with.</summary>
internal static class BuildOptions
{
    internal static bool UseOrleans => Of("UseOrleans") == "true";

    internal static string OrleansVersion => Of("OrleansVersion");

    internal static string OrleansOldestVersion => Of("OrleansOldestVersion");

    internal static string OrleansFeed => Of("OrleansFeed");

    private static string Of(string name) =>
        typeof(BuildOptions).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Single(option => option.Key == name).Value ?? "";
}
