namespace Packages.Tests;

/// <summary>Programs that use the packages can be trimmed and compiled ahead of time, without a warning.</summary>
public sealed class PublishTests(PackedPackages packages)
{
    private static readonly string[] s_toTrim = ["Microsoft.NET.ILLink.Tasks", "Microsoft.NETCore.App.Runtime"];

    [Fact]
    public async Task TrimmedProgram_HasAllTimers()
    {
        var program = packages.Install("Console");
        await program.Publish("-p:PublishTrimmed=true", s_toTrim);

        Assert.Equal("All timers work.", (await program.StartPublished()).Succeeded().Trim());
    }

    [Fact]
    public async Task NativeProgram_HasAllTimers()
    {
        var program = packages.Install("Console");
        await program.Publish("-p:PublishAot=true", [.. s_toTrim, "ILCompiler"]);

        Assert.Equal("All timers work.", (await program.StartPublished()).Succeeded().Trim());
    }
}
