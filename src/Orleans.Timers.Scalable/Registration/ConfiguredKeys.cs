using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>The keys of a section of the configuration. The start report warns of other keys.</summary>
/// <remarks>
/// An unknown key stops nothing: it may be an option of a later version, from which a silo was taken back to this one.
/// </remarks>
internal sealed record ConfiguredKeys(string Section, Type Options)
{
    internal const string Root = nameof(ScalableTimers);

    /// <summary>How many letters may differ in a section that is probably meant to be ours.</summary>
    private const int Typos = 2;

    internal static IEnumerable<string> Known(IServiceProvider services) =>
        from keys in services.GetServices<ConfiguredKeys>()
        from property in keys.Options.GetProperties()
        select $"{keys.Section}:{property.Name}";

    /// <summary>The unknown keys of the section, and sections beside it whose names are nearly its own.</summary>
    internal static IEnumerable<string> Unknown(IServiceProvider services) =>
        services.GetService<IConfiguration>() is not { } configuration
            ? []
            : configuration.GetSection(Root).AsEnumerable()
                .Where(static setting => setting.Value is { Length: > 0 })
                .Select(static setting => setting.Key)
                .Except(Known(services), StringComparer.OrdinalIgnoreCase)
                .Concat(configuration.GetChildren()
                    .Select(static section => section.Key)
                    .Where(static key => !key.Equals(Root, StringComparison.OrdinalIgnoreCase)
                        && AreNear(key.ToUpperInvariant(), Root.ToUpperInvariant(), Typos)))
                .Order(StringComparer.OrdinalIgnoreCase);

    /// <summary>Whether one text becomes the other by adding, removing or changing a few letters.</summary>
    private static bool AreNear(ReadOnlySpan<char> one, ReadOnlySpan<char> other, int letters)
    {
        var same = one.CommonPrefixLength(other);
        one = one[same..];
        other = other[same..];
        return one.IsEmpty || other.IsEmpty
            ? one.Length + other.Length <= letters
            : letters > 0
                && (AreNear(one[1..], other[1..], letters - 1)
                    || AreNear(one[1..], other, letters - 1)
                    || AreNear(one, other[1..], letters - 1));
    }
}
