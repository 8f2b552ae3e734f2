using System.Runtime.CompilerServices;

namespace ScalableTimers;

/// <summary>Hides <see cref="System.Threading.Volatile"/>.</summary>
internal static class Volatile
{
    internal static T Read<T>(
        ref readonly T location,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.Read(ref Unsafe.AsRef(in location), new Site(OperationKind.Read, name, file, line));

    internal static void Write<T>(
        ref T location,
        T value,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.Write(ref location, value, new Site(OperationKind.Write, name, file, line));
}
