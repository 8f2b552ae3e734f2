namespace Packages.Tests;

/// <summary>How a command has ended, and what it has printed.</summary>
internal sealed record ShellResult(string Command, int ExitCode, string Output)
{
    internal string Succeeded()
    {
        Assert.True(ExitCode == 0, $"\"{Command}\" ended with {ExitCode}.\n{Output}");
        return Output;
    }

    internal string Failed()
    {
        Assert.True(ExitCode != 0, $"\"{Command}\" should have failed.\n{Output}");
        return Output;
    }
}
