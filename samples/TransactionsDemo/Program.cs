using System.CommandLine.Invocation;
using TransactionsDemo;
using TransactionsDemo.CommandLine;
using TransactionsDemo.Comparison;
using TransactionsDemo.Report;

var command = new DemoCommand().Build(
    static (options, cancel) => new Demo(DemoConsole.Create(), options).RunAsync(cancel),
    static (options, cancel) => new PluginComparison(DemoConsole.Create(), options).RunAsync(cancel));
var commandLine = command.Parse(args);
if (commandLine.Action is ParseErrorAction errors)
{
    // The errors name the allowed values. A list of all options after them would hide that.
    errors.ShowHelp = false;
}

return await commandLine.InvokeAsync();
