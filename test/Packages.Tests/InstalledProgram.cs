using System.Reflection;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using ScalableTimers.Tests;

namespace Packages.Tests;

/// <summary>A program that uses the packages and nothing else of the repository.</summary>
internal sealed partial class InstalledProgram(
    string folder, string name, params (string Name, string Value)[] variables)
{
    /// <summary>The folder that <see cref="Build"/> builds to.</summary>
    internal string Output => Path.Combine(folder, "out");

    /// <summary>Installs one of our packages with the command of its README.</summary>
    internal async Task Install(string package)
    {
        var readme = await File.ReadAllTextAsync(Repository.Path("src", package, "README.md"));
        var line = InstallLine.Matches(readme).Select(static match => match.Value).Single();
        Assert.StartsWith($"dotnet add package {package} ", line, StringComparison.Ordinal);
        await Run(line);
    }

    /// <summary>
    /// Pins each .NET package that ours depends on to a version. If ours requires a later one, installing and building
    /// fail (NU1605).
    /// </summary>
    internal void Pin(string version, Package package)
    {
        var references = package.Dependencies
            .Select(static dependency => dependency.Split(' ')[0])
            .Where(static id => id.StartsWith("Microsoft.Extensions.", StringComparison.Ordinal))
            .Select(id => new XElement(
                "PackageReference", new XAttribute("Include", id), new XAttribute("Version", version)));
        new XElement("Project", new XElement("ItemGroup", references))
            .Save(Path.Combine(folder, "Directory.Build.props"));
    }

    /// <summary>Installs a package that is not ours.</summary>
    internal Task InstallOther(string package) => Run($"dotnet add package {package} --version {VersionOf(package)}");

    /// <summary>The version of a package that this repository builds with.</summary>
    internal static string VersionOf(string package) =>
        typeof(InstalledProgram).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Single(known => known.Key == package).Value!;

    /// <summary>Builds it, and returns its warnings.</summary>
    internal async Task<IReadOnlyCollection<string>> Build() =>
        Warnings(await Run("dotnet build -c Release -o out -tl:off"));

    /// <summary>Compiles it ahead of time, and returns the warnings.</summary>
    internal async Task<IReadOnlyCollection<string>> PublishNative() => Warnings(await Run(
        "dotnet publish -c Release -o out -tl:off --use-current-runtime"
            + " -p:PublishAot=true -p:TrimmerSingleWarn=false"));

    /// <summary>Runs what <see cref="Build"/> has built.</summary>
    internal Task<string> Start() => Run($"timeout -s KILL 120 dotnet out/{name}.dll");

    /// <summary>Copies what <see cref="Build"/> has built, and returns the folder of the copy.</summary>
    internal string Copy(int number)
    {
        var copy = Directory.CreateDirectory(Path.Combine(folder, $"copy{number}")).FullName;
        foreach (var file in Directory.EnumerateFiles(Output))
        {
            File.Copy(file, Path.Combine(copy, Path.GetFileName(file)), overwrite: true);
        }

        return copy;
    }

    /// <summary>Runs a copy, however it ends.</summary>
    internal Task<string> StartCopy(int number) =>
        Run($"timeout -s KILL 100 dotnet copy{number}/{name}.dll || echo \"It ended with $?.\"");

    /// <summary>Runs what <see cref="PublishNative"/> has published.</summary>
    internal Task<string> StartNative() => Run($"timeout -s KILL 120 out/{name}");

    internal Task<string> Run(string command) => Shell.Run(folder, command, variables);

    private static HashSet<string> Warnings(string output) =>
        [.. Warning.Matches(output).Select(static warning => warning.Groups["text"].Value)];

    [GeneratedRegex("^dotnet add package .*$", RegexOptions.Multiline)]
    private static partial Regex InstallLine { get; }

    [GeneratedRegex(@"warning (?<text>[A-Z]+[0-9]+: .*?)( \[[^\]]*\])?$", RegexOptions.Multiline)]
    private static partial Regex Warning { get; }
}
