using Spectre.Console;

namespace TransactionsDemo.Report;

/// <summary>Where the demo writes to.</summary>
internal static class DemoConsole
{
    private const int WidthOfFiles = 120;

    /// <summary>The terminal, or plain text where there is none.</summary>
    public static IAnsiConsole Create()
    {
        if (!Console.IsOutputRedirected)
        {
            return AnsiConsole.Console;
        }

        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.No,
        });
        console.Profile.Width = WidthOfFiles;
        return console;
    }
}
