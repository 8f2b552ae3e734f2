using System.Runtime.CompilerServices;

namespace Orleans.Timers.Scalable;

/// <summary>Tells every copy of this library in the process which of them serves a manager's timers.</summary>
/// <remarks>
/// A process may load the library twice over the same Orleans, and each copy has statics of its own. The copies share
/// the manager's <see cref="Type"/>, which is their lock, and the data of the application domain, which hold the mark.
/// </remarks>
internal static class StaticTimersMark
{
    /// <summary>
    /// Takes the mark. If another copy has it, <paramref name="whenFree"/> is called once when that copy releases it.
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
                // Removing it first keeps one entry for each copy that waits.
                var others = (Action?)AppDomain.CurrentDomain.GetData(waiting);
                AppDomain.CurrentDomain.SetData(waiting, others - whenFree + whenFree);
                return false;
            }

            AppDomain.CurrentDomain.SetData(name, owner);
            return true;
        }
    }

    /// <returns>
    /// What tells the waiting copies. Call it without holding a lock, because each of them takes its own lock.
    /// </returns>
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

    // Two copies of Orleans have a manager each. If their hash codes are equal, Orleans keeps the timers of the second.
    private static string NameFor(Type manager) =>
        $"Orleans.Timers.Scalable.StaticTimers:{RuntimeHelpers.GetHashCode(manager)}";

    private static string WaitingFor(Type manager) => $"{NameFor(manager)}:Waiting";
}
