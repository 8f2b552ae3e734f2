using TransactionsDemo;

return await DemoCommand.Build(Demo.RunAsync).Parse(args).InvokeAsync();
