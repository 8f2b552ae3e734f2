using System.Runtime.CompilerServices;

namespace Orleans.Timers.Scalable;

/// <summary>The sign, for every copy of this library in the process, that one of them has adopted a manager.</summary>
/// <remarks>
/// A process may load the library twice, each copy with statics of its own, and both over the same Orleans. What they share is the manager's
/// <see cref="Type"/>, which serves as the lock, and the data of the application's domain.
/// </remarks>
internal static class AdoptionMark
{
    /// <summary>
    /// Takes the mark, or has <paramref name="whenFree"/> called once when another copy, which has it, releases it.
    /// </summary>
    internal static bool TryTake(Type manager, object owner, Action whenFree)
    {
#pragma warning disable CA2002 // There is no other object that all copies know.
        lock (manager)
#pragma warning restore CA2002
        {
            var (name, waiting) = (NameFor(manager), WaitingFor(manager));
            if (AppDomain.CurrentDomain.GetData(name) is { } other && !ReferenceEquals(other, owner))
            {
                // Who waits already does not wait twice.
                AppDomain.CurrentDomain.SetData(waiting, (Action?)AppDomain.CurrentDomain.GetData(waiting) - whenFree + whenFree);
                return false;
            }

            AppDomain.CurrentDomain.SetData(name, owner);
            return true;
        }
    }

    /// <returns>Tells the copies that wait for it. To be called without locks: they have their own.</returns>
    internal static Action? Release(Type manager, object owner)
    {
#pragma warning disable CA2002 // As above.
        lock (manager)
#pragma warning restore CA2002
        {
            var (name, waiting) = (NameFor(manager), WaitingFor(manager));
            if (!ReferenceEquals(AppDomain.CurrentDomain.GetData(name), owner))
            {
                return null;
            }

            AppDomain.CurrentDomain.SetData(name, null);
            var tell = (Action?)AppDomain.CurrentDomain.GetData(waiting);
            AppDomain.CurrentDomain.SetData(waiting, null);
            return tell;
        }
    }

    // Two copies of Orleans have a manager each. Should their hash codes be equal, the second is left to Orleans.
    private static string NameFor(Type manager) => $"Orleans.Timers.Scalable.Adoption:{RuntimeHelpers.GetHashCode(manager)}";

    private static string WaitingFor(Type manager) => $"{NameFor(manager)}:Waiting";
}
