using Cluster;

return await ClusterCommand.Build().Parse(args).InvokeAsync();
