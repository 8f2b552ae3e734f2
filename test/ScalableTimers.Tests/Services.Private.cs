using System.Reflection;
using System.Runtime.CompilerServices;

namespace ScalableTimers.Tests;

/// <content>Access to private state and the garbage collector, without naming types of the library.</content>
internal static partial class Services
{
    internal static object? Field(object of, string name) => FieldOf(of.GetType(), name).GetValue(of);

    internal static object? StaticField(Type of, string name) => FieldOf(of, name).GetValue(null);

    /// <summary>Runs a function that must leave no reference behind on the caller's stack.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static T InAFrameOfItsOwn<T>(Func<T> function) => function();

    internal static void CollectGarbage()
    {
        for (var i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    private static FieldInfo FieldOf(Type type, string name)
    {
        const BindingFlags Any =
            BindingFlags.Instance | BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public;
        for (var at = type; at is not null; at = at.BaseType)
        {
            if (at.GetField(name, Any) is { } field)
            {
                return field;
            }
        }

        throw new MissingFieldException(type.Name, name);
    }
}
