using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Providers;
using Orleans.Serialization.Configuration;

namespace Orleans.Timers.Scalable;

/// <summary>What <c>AddCallDiagnostics</c> registers.</summary>
internal static class CallDiagnosticsRegistration
{
    internal static OptionsBuilder<CallDiagnosticsOptions> AddToSilo(IServiceCollection services)
    {
        AddTo(services);
        if (!services.Any(static service => service.ServiceType == typeof(CallReporter)))
        {
            services.AddSingleton<EndedRequests>();
            services.AddSingleton<CallReporter>();
            services.AddKeyedSingleton<IControllable>(
                CallReporter.Name, static (services, _) => services.GetRequiredService<CallReporter>());
            services.AddSingleton<IIncomingGrainCallFilter, IncomingDiagnosticsFilter>();
        }

        return services.AddOptions<CallDiagnosticsOptions>();
    }

    internal static OptionsBuilder<CallDiagnosticsOptions> AddToClient(IServiceCollection services)
    {
        // A client that shares its container with a silo shares the silo's filters too.
        AddTo(services);
        return services.AddOptions<CallDiagnosticsOptions>();
    }

    private static void AddTo(IServiceCollection services)
    {
        if (services.Any(static service => service.ServiceType == typeof(CallDiagnostics)))
        {
            return;
        }

        services.AddMetrics();
        services.AddSingleton<CallMetrics>();
        services.AddSingleton<CallDiagnostics>();
        services.AddSingleton<CallReportClient>();
        OptionsValidator<CallDiagnosticsOptions>.AddTo(services, static options => options.Errors());

        // A command names the type that is to take it.
        services.Configure<TypeManifestOptions>(
            static types => types.AllowedTypes.Add(typeof(CallReporter).FullName!));

        // In front of the filters that may refuse a call or take time, but behind the one of AddCallTimeouts, which
        // insists on being the first.
        var isBounded = services.Any(static service => service.ImplementationType == typeof(CallTimeoutFilter));
        services.Insert(
            isBounded ? 1 : 0, ServiceDescriptor.Singleton<IOutgoingGrainCallFilter, OutgoingDiagnosticsFilter>());
    }
}
