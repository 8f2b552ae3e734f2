using System.Numerics;
using System.Runtime.CompilerServices;

namespace ScalableTimers;

/// <summary>Hides <see cref="System.Threading.Interlocked"/>.</summary>
internal static class Interlocked
{
    internal static void MemoryBarrier([CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        SharedMemory.Fence(new Site(OperationKind.Fence, "", file, line));

    internal static T CompareExchange<T>(
        ref T location,
        T value,
        T comparand,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.CompareExchange(
            ref location, value, comparand, new Site(OperationKind.CompareExchange, name, file, line));

    internal static T Exchange<T>(
        ref T location,
        T value,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.Exchange(ref location, value, new Site(OperationKind.Exchange, name, file, line));

    internal static T Increment<T>(
        ref T location,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0)
        where T : INumber<T> =>
        SharedMemory.Add(ref location, T.One, new Site(OperationKind.Add, name, file, line));

    internal static T Decrement<T>(
        ref T location,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0)
        where T : INumber<T> =>
        SharedMemory.Add(ref location, -T.One, new Site(OperationKind.Add, name, file, line));

    internal static T Add<T>(
        ref T location,
        T value,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0)
        where T : INumber<T> =>
        SharedMemory.Add(ref location, value, new Site(OperationKind.Add, name, file, line));

    internal static T Read<T>(
        ref readonly T location,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.Read(ref Unsafe.AsRef(in location), new Site(OperationKind.Read, name, file, line));
}
