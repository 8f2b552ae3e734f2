using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>Decorates registered services.</summary>
internal static class ServiceDecoration
{
    /// <summary>
    /// Replaces the last registration, the one that counts, and keeps the original under its own key. If the plugin is
    /// turned off, the service is the original.
    /// </summary>
    /// <param name="services">The services that hold the registration.</param>
    /// <param name="key">The key of the registration, or null for an unkeyed one.</param>
    /// <param name="decorate">Creates the decorator.</param>
    /// <returns>The key of the original.</returns>
    internal static object Decorate<TService>(
        this IServiceCollection services,
        object? key,
        Func<TService, IServiceProvider, TService> decorate)
        where TService : class
    {
        var original = services.Last(
            service => service.ServiceType == typeof(TService) && Equals(service.ServiceKey, key));
        var inner = new object();
        services.Remove(original);
        services.Add(WithKey(original, inner));
        services.Add(key is null
            ? new ServiceDescriptor(typeof(TService), Make, original.Lifetime)
            : new ServiceDescriptor(typeof(TService), key, (provider, _) => Make(provider), original.Lifetime));
        return inner;

        TService Make(IServiceProvider provider)
        {
            var service = provider.GetRequiredKeyedService<TService>(inner);
            return provider.GetRequiredService<IOptions<OrleansTimerOptions>>().Value.Enabled
                ? decorate(service, provider)
                : service;
        }
    }

    // The container still creates the original, so it still disposes it.
    private static ServiceDescriptor WithKey(ServiceDescriptor service, object key) => service switch
    {
        { IsKeyedService: true, KeyedImplementationType: { } type } =>
            new(service.ServiceType, key, type, service.Lifetime),
        { IsKeyedService: true, KeyedImplementationFactory: { } factory } =>
            new(
                service.ServiceType,
                key,
                (provider, _) => factory(provider, service.ServiceKey),
                service.Lifetime),
        { IsKeyedService: true } => new(service.ServiceType, key, service.KeyedImplementationInstance!),
        { ImplementationType: { } type } => new(service.ServiceType, key, type, service.Lifetime),
        { ImplementationFactory: { } factory } =>
            new(service.ServiceType, key, (provider, _) => factory(provider), service.Lifetime),
        _ => new(service.ServiceType, key, service.ImplementationInstance!),
    };
}
