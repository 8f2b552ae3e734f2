using System.Reflection;
using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>
/// Checks, before a part of the plugin is added, that this version of Orleans has what the part needs of its types that
/// are public but may change. A part that does not fit is left to Orleans, and the silo runs.
/// </summary>
internal static class OrleansFit
{
    /// <summary>Adds a part if it fits; otherwise <see cref="UnfitPart"/> tells, for the log at the start.</summary>
    /// <param name="services">Where to register the part.</param>
    /// <param name="part">Names the part in the log.</param>
    /// <param name="type">
    /// Returns the type that takes Orleans' place. It is named inside, because a type that does not fit cannot be
    /// loaded, nor a method compiled that uses it.
    /// </param>
    /// <param name="add">Registers the part.</param>
    /// <param name="defaults">How many members the type leaves to the bodies that its interfaces have for them.</param>
    internal static void AddIfItFits(
        this IServiceCollection services, string part, Func<Type> type, Action<IServiceCollection> add, int defaults = 0)
    {
        if (Difference(type, defaults) is { } difference)
        {
            services.AddSingleton(new UnfitPart(part, difference));
        }
        else
        {
            add(services);
        }
    }

    /// <summary>Returns how Orleans differs from what a type expects of it; null if it does not.</summary>
    internal static string? Difference(Func<Type> type, int defaults = 0)
    {
        try
        {
            // A member without a body that the type lacks keeps it from loading. A new member with a body would be
            // called on this type instead of the one that it decorates, which may have its own.
            var loaded = type();
            var left = loaded.GetInterfaces()
                .SelectMany(face => loaded.GetInterfaceMap(face).TargetMethods)
                .Where(static method => method.DeclaringType is { IsInterface: true })
                .ToList();
            return left.Count == defaults ? null : $"{left.Count} members of its interfaces have bodies, not {defaults}: "
                + string.Join(", ", left.Select(static method => $"{method.DeclaringType!.Name}.{method.Name}"));
        }
        catch (Exception exception) when (exception is TypeLoadException or MissingMemberException)
        {
            return exception.Message;
        }
    }
}

/// <summary>A part that is left to Orleans.</summary>
internal sealed record UnfitPart(string Part, string Difference);
