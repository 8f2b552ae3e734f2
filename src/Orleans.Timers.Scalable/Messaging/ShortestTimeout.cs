using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Serialization.Configuration;

namespace Orleans.Timers.Scalable.Messaging;

/// <summary>The shortest response timeout that calls of a silo or client may have.</summary>
internal static class ShortestTimeout
{
    /// <summary>The shortest of a timeout and those set by attributes on methods of known interfaces.</summary>
    /// <remarks>
    /// Orleans makes proxies only for interfaces in the manifest, so there are no others. Reads the metadata of each
    /// once.
    /// </remarks>
    internal static TimeSpan Of(IServiceProvider services, TimeSpan responseTimeout) =>
        Of(services.GetRequiredService<IOptions<TypeManifestOptions>>().Value.Interfaces, responseTimeout);

    internal static TimeSpan Of(IEnumerable<Type> interfaces, TimeSpan responseTimeout) => interfaces
        .SelectMany(static type => OrNone(type.GetInterfaces).Append(type))
        .Distinct()
        .SelectMany(static type => OrNone(type.GetMethods))
        .SelectMany(static method => OrNone(method.GetCustomAttributes<ResponseTimeoutAttribute>))
        .Select(static attribute => attribute.Timeout)
        .OfType<TimeSpan>()
        .Append(responseTimeout)
        .Min();

    // .NET loads the types of all attributes to find one, and those of a package for the compiler alone are not there.
    // Orleans never looks at them, so it starts.
    private static T[] OrNone<T>(Func<IEnumerable<T>> read)
    {
        try
        {
            return [.. read()];
        }
        catch (Exception exception) when (exception is IOException or TypeLoadException or BadImageFormatException)
        {
            return [];
        }
    }
}
