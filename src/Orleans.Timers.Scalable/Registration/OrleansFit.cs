using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>
/// Checks, before a part of the plugin is added, that this version of Orleans has what the part needs of types that are
/// public but may change. A part that does not fit is left to Orleans, and the silo runs.
/// </summary>
internal static partial class OrleansFit
{
    /// <summary>Adds a part if it fits; otherwise <see cref="Unfit"/> tells what to log at the start.</summary>
    /// <param name="services">Where to register the part.</param>
    /// <param name="part">Names the part in the log.</param>
    /// <param name="add">Registers the part.</param>
    /// <param name="defaults">How many members the types leave to the bodies that their interfaces have.</param>
    /// <param name="types">
    /// Return the types that take the place of Orleans' own. They are named inside functions, because a type that does
    /// not fit cannot be loaded, nor a method compiled that uses it.
    /// </param>
    internal static void AddIfItFits(
        this IServiceCollection services,
        string part,
        Action<IServiceCollection> add,
        int defaults,
        params ReadOnlySpan<Func<Type>> types)
    {
        if (Difference(defaults, types) is { } difference)
        {
            services.AddSingleton(new Unfit(part, difference));
        }
        else
        {
            add(services);
        }
    }

    /// <summary>Returns how Orleans differs from what types expect of it; null if it does not.</summary>
    internal static string? Difference(int defaults, params ReadOnlySpan<Func<Type>> types)
    {
        try
        {
            // A type that lacks a member without a body does not load. A new member with a body would be called on this
            // type instead of the one that it decorates, which may have its own.
            List<string> left = [];
            foreach (var type in types)
            {
                var loaded = type();
                left.AddRange(
                    from face in loaded.GetInterfaces()
                    from method in loaded.GetInterfaceMap(face).TargetMethods
                    where method.DeclaringType is { IsInterface: true }
                    select $"{method.DeclaringType!.Name}.{method.Name}");
            }

            return left.Count == defaults
                ? null
                : $"{left.Count} members of interfaces have bodies, not {defaults}: {string.Join(", ", left)}";
        }
        catch (Exception exception) when (exception is TypeLoadException or MissingMemberException)
        {
            return exception.Message;
        }
    }

    [LoggerMessage(
        1,
        LogLevel.Warning,
        "{Part}: left to Orleans, because this version differs from those that scalable timers know: {Difference}")]
    internal static partial void LogLeft(ILogger logger, string part, string difference);

    /// <summary>A part that is left to Orleans.</summary>
    internal sealed record Unfit(string Part, string Difference);
}
