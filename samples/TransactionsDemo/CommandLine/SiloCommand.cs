#if ORLEANS
using System.CommandLine;
using TransactionsDemo.OnOrleans;

namespace TransactionsDemo.CommandLine;

/// <summary>The command by which the demo starts itself as a silo in its own process.</summary>
internal static class SiloCommand
{
    public static Command Build()
    {
        var settings = new Argument<string>("settings");
        var command = new Command(SiloProcess.Command) { settings };
        command.Hidden = true;
        command.SetAction((result, _) => SiloProcess.RunAsync(result.GetRequiredValue(settings)));
        return command;
    }
}
#endif
