using Cluster;

return await ClusterCommand.RunAsync(args);
