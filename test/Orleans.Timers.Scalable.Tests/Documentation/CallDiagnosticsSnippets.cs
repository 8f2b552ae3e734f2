namespace Orleans.Timers.Scalable.Tests.Documentation;

/// <summary>The code of the page on call diagnostics.</summary>
internal static class CallDiagnosticsSnippets
{
    internal static void Add(ISiloBuilder siloBuilder, IClientBuilder clientBuilder)
    {
        siloBuilder.AddCallDiagnostics();
        clientBuilder.AddCallDiagnostics();
    }

    internal static void Configure(ISiloBuilder siloBuilder)
    {
        siloBuilder.AddCallDiagnostics(options =>
        {
            options.LongestDelay = TimeSpan.FromMilliseconds(100);
            options.MethodsInMetrics = 64;
            options.QueueTimeSampling = 0;
        });
    }
}
