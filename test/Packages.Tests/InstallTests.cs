namespace Packages.Tests;

/// <summary>The packages work where nothing else of the repository is.</summary>
public sealed class InstallTests(PackedPackages packages)
{
    [Fact]
    public async Task ConsoleProgram_HasAllTimers()
    {
        var program = packages.Install("Console");
        await program.Build();

        var output = (await program.Start()).Succeeded();

        Assert.Equal("All timers work.", output.Trim());
    }

    [Fact]
    public async Task Host_TakesOptionsFromAppsettings()
    {
        var program = packages.Install("Host");
        await program.Build();

        var output = (await program.Start()).Succeeded();
        Assert.Contains("Woken, with a resolution of 00:00:00.0200000.", output, StringComparison.Ordinal);

        var refused = (await program.Start(("ScalableTimers__Resolution", "00:00:05"))).Failed();
        Assert.Contains("ScalableTimerOptions.Resolution is 00:00:05", refused, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Silo_NeedsOneCallAndNoReminders()
    {
        packages.PluginOrSkip();
        var program = packages.Install("Silo");
        await program.Build();
        var assemblies = Directory.EnumerateFiles(Path.Combine(program.Folder, "out"), "Orleans.*.dll")
            .Select(Path.GetFileName)
            .ToList();
        Assert.Contains("Orleans.Transactions.dll", assemblies);
        Assert.DoesNotContain("Orleans.Reminders.dll", assemblies);

        var output = (await program.Start()).Succeeded();

        Assert.Contains("The grain has slept for 00:00:00.0500000.", output, StringComparison.Ordinal);
        Assert.Contains(
            $"Scalable timers run in Orleans {BuildOptions.OrleansVersion} ", output, StringComparison.Ordinal);
        Assert.Contains("Clocks driven: Orleans.Grains, Orleans.Transactions;", output, StringComparison.Ordinal);
        Assert.Contains("unknown to this version of Orleans: none.", output, StringComparison.Ordinal);
        Assert.Contains("Static timers: served.", output, StringComparison.Ordinal);

        // What NuGet chose, because the program does not refer to transactions itself.
        var (orleans, transactions) = (BuildOptions.OrleansVersion, packages.Of(PackedPackages.Plugin).Dependencies
            .Select(static dependency => dependency.Split(' '))
            .Single(static dependency => dependency[0] == "Microsoft.Orleans.Transactions")[1]);
        Assert.Equal(
            transactions != orleans,
            output.Contains(
                $"Orleans.Transactions has version {transactions}, and Orleans has version {orleans}.",
                StringComparison.Ordinal));
    }
}
