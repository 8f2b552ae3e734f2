using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>Decorates registered services.</summary>
internal static class ServiceDecoration
{
    /// <summary>
    /// Replaces the last registration, the one that counts, and keeps the original under its own key.
    /// </summary>
    /// <param name="services">The services that hold the registration.</param>
    /// <param name="key">The key of the registration, or null for an unkeyed one.</param>
    /// <param name="decorate">Creates the decorator.</param>
    internal static void Decorate<TService>(
        this IServiceCollection services,
        object? key,
        Func<TService, IServiceProvider, TService> decorate)
        where TService : class
    {
        var original = services.Last(
            service => service.ServiceType == typeof(TService) && Equals(service.ServiceKey, key));
        var inner = new UndecoratedKey(key);
        services.Remove(original);
        services.Add(WithKey(original, inner));
        services.Add(key is null
            ? new ServiceDescriptor(typeof(TService), Make, original.Lifetime)
            : new ServiceDescriptor(typeof(TService), key, (provider, _) => Make(provider), original.Lifetime));

        TService Make(IServiceProvider provider) =>
            decorate(provider.GetRequiredKeyedService<TService>(inner), provider);
    }

    // The container still creates the original, so it still disposes it.
    private static ServiceDescriptor WithKey(ServiceDescriptor service, object key)
    {
        var isKeyed = service.IsKeyedService;
        return (isKeyed ? service.KeyedImplementationType : service.ImplementationType) is { } type
            ? new(service.ServiceType, key, type, service.Lifetime)
            : (isKeyed ? service.KeyedImplementationInstance : service.ImplementationInstance) is { } instance
                ? new(service.ServiceType, key, instance)
                : new(service.ServiceType, key, Make, service.Lifetime);

        object Make(IServiceProvider provider, object? _) => isKeyed
            ? service.KeyedImplementationFactory!(provider, service.ServiceKey)
            : service.ImplementationFactory!(provider);
    }

    private sealed record UndecoratedKey(object? Key);
}
