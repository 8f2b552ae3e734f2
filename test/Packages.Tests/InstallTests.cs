namespace Packages.Tests;

/// <summary>The packages work without the rest of the repository.</summary>
public sealed class InstallTests(PackedPackages packages)
{
    /// <summary>The first version of .NET 10, so that a program may use any.</summary>
    private const string Lowest = "10.0.0";

    /// <summary>The version that Orleans 10.4.2 requires.</summary>
    private const string LowestOfOrleans = "10.0.5";

    [Fact]
    public async Task ConsoleProgram_OfTheLowestVersions_HasAllTimers()
    {
        var program = await packages.Create("Console");
        program.Pin(Lowest, packages.Of("ScalableTimers"));
        await program.Install("ScalableTimers");
        await program.Install("ScalableTimers.Statistics");

        Assert.Empty(await program.Build());
        Assert.Equal("All timers work.", (await program.Start()).Trim());
    }

    [Fact]
    public async Task NativeProgram_HasAllTimers()
    {
        Assert.SkipUnless(
            Environment.GetEnvironmentVariable("SCALABLE_TIMERS_NATIVE") == "1",
            "It may take minutes. Run ./test.sh --native.");
        var program = await packages.Create("Console");
        await program.Install("ScalableTimers");
        await program.Install("ScalableTimers.Statistics");

        Assert.Empty(await program.PublishNative());
        Assert.Equal("All timers work.", (await program.StartNative()).Trim());
    }

    [Fact]
    public async Task Host_TakesOptionsFromAppsettingsAndIsHealthy()
    {
        var program = await packages.Create("Host");
        program.Pin(Lowest, packages.Of("ScalableTimers.HealthChecks"));
        await program.InstallOther("Microsoft.Extensions.Hosting");
        await program.Install("ScalableTimers");
        await program.Install("ScalableTimers.HealthChecks");

        Assert.Empty(await program.Build());
        Assert.Contains(
            "Healthy, with a resolution of 00:00:00.0200000.", await program.Start(), StringComparison.Ordinal);
    }

    /// <summary>The plugin's package brings the core and its analyzers along.</summary>
    [Fact]
    public async Task Silo_OfTheLowestVersions_NeedsOneCallAndGetsTheAnalyzersOnce()
    {
        var program = await packages.Create("Silo");
        program.Pin(LowestOfOrleans, packages.Of("ScalableTimers"));
        await program.InstallOther("Microsoft.Orleans.Server");
        await program.Install(PackedPackages.Plugin);

        var warning = Assert.Single(await program.Build());
        Assert.StartsWith("STM001: 'Task.Delay' holds up", warning, StringComparison.Ordinal);
        Assert.EndsWith(
            $"({PackedPackages.RepositoryUrl}/blob/HEAD/docs/analyzers.md#stm001)", warning, StringComparison.Ordinal);

        Assert.DoesNotContain(
            "Orleans.Transactions",
            await program.Run("dotnet list package --include-transitive"),
            StringComparison.OrdinalIgnoreCase);
        var output = await program.Start();
        Assert.Contains("The grain has slept for 00:00:00.0500000.", output, StringComparison.Ordinal);
        Assert.DoesNotContain("ransactions:", output, StringComparison.Ordinal);
    }

    /// <summary>
    /// Of what only our packages ask for, NuGet takes the oldest version, with which the newest client does not start.
    /// </summary>
    /// <remarks>Seen to fail without the check of the package: the build had no warning.</remarks>
    [Fact]
    public async Task Client_OfTheNewestOrleans_IsToldToReferenceAllOfIt()
    {
        string[] parts = ["Microsoft.Orleans.Runtime", "Microsoft.Orleans.Transactions"];
        var program = await packages.Create("Client");
        await program.InstallOther("Microsoft.Orleans.Sdk");
        var isNewer = InstalledProgram.VersionOf("Microsoft.Orleans.Sdk")
            != InstalledProgram.VersionOf("OldestOrleansVersion");
        await program.Install(PackedPackages.Plugin);
        await program.Install(PackedPackages.Transactions);
        var warnings = await program.Build();
        foreach (var part in parts)
        {
            var expected = $"STM010: Orleans needs one version of its packages, but {part} ";
            Assert.Equal(
                isNewer, warnings.Any(warning => warning.StartsWith(expected, StringComparison.Ordinal)));
            await program.InstallOther(part);
        }

        Assert.Empty(await program.Build());
        Assert.Contains("The client has found no silo.", await program.Start(), StringComparison.Ordinal);
    }
}
