using System.Runtime.CompilerServices;

namespace Orleans.Timers.Scalable;

/// <summary>The sign, for every copy of this library in the process, that one of them has adopted a manager.</summary>
/// <remarks>
/// A process may load the library twice, each copy with statics of its own, and both over the same Orleans. What they share is the manager's
/// <see cref="Type"/>, which serves as the lock, and the data of the application's domain.
/// </remarks>
internal static class AdoptionMark
{
    internal static bool TryTake(Type manager, object owner)
    {
#pragma warning disable CA2002 // There is no other object that all copies know.
        lock (manager)
#pragma warning restore CA2002
        {
            var name = NameFor(manager);
            if (AppDomain.CurrentDomain.GetData(name) is { } other && !ReferenceEquals(other, owner))
            {
                return false;
            }

            AppDomain.CurrentDomain.SetData(name, owner);
            return true;
        }
    }

    internal static void Release(Type manager, object owner)
    {
#pragma warning disable CA2002 // As above.
        lock (manager)
#pragma warning restore CA2002
        {
            var name = NameFor(manager);
            if (ReferenceEquals(AppDomain.CurrentDomain.GetData(name), owner))
            {
                AppDomain.CurrentDomain.SetData(name, null);
            }
        }
    }

    // Two copies of Orleans have a manager each. Should their hash codes be equal, the second is left to Orleans.
    private static string NameFor(Type manager) => $"Orleans.Timers.Scalable.Adoption:{RuntimeHelpers.GetHashCode(manager)}";
}
