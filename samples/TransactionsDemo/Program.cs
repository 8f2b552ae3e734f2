using System.CommandLine.Invocation;
using TransactionsDemo;

var commandLine = new DemoCommand().Build(static (settings, cancel) => Demo.RunAsync(settings, cancel)).Parse(args);
if (commandLine.Action is ParseErrorAction errors)
{
    // The errors name the option and its range. A list of all options after them would hide that.
    errors.ShowHelp = false;
}

return await commandLine.InvokeAsync();
