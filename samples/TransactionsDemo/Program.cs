using TransactionsDemo;

return await DemoCommand.Build().Parse(args).InvokeAsync();
