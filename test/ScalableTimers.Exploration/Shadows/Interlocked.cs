using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers;

/// <summary>Hides <see cref="System.Threading.Interlocked"/>.</summary>
[Shadow]
internal static class Interlocked
{
    internal static void MemoryBarrier([CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        SharedMemory.Fence(new Site(OperationKind.Fence, "", file, line));

    internal static int CompareExchange(
        ref int location,
        int value,
        int comparand,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.CompareExchange(
            ref location, value, comparand, new Site(OperationKind.CompareExchange, name, file, line));

    internal static long CompareExchange(
        ref long location,
        long value,
        long comparand,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.CompareExchange(
            ref location, value, comparand, new Site(OperationKind.CompareExchange, name, file, line));

    internal static T CompareExchange<T>(
        ref T location,
        T value,
        T comparand,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0)
        where T : class? =>
        SharedMemory.CompareExchange(
            ref location, value, comparand, new Site(OperationKind.CompareExchange, name, file, line));

    internal static int Exchange(
        ref int location,
        int value,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.Exchange(ref location, value, new Site(OperationKind.Exchange, name, file, line));

    internal static long Exchange(
        ref long location,
        long value,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.Exchange(ref location, value, new Site(OperationKind.Exchange, name, file, line));

    internal static T Exchange<T>(
        ref T location,
        T value,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0)
        where T : class? =>
        SharedMemory.Exchange(ref location, value, new Site(OperationKind.Exchange, name, file, line));

    internal static int Increment(
        ref int location,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.Add(ref location, 1, new Site(OperationKind.Add, name, file, line));

    internal static long Increment(
        ref long location,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.Add(ref location, 1L, new Site(OperationKind.Add, name, file, line));

    internal static int Decrement(
        ref int location,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.Add(ref location, -1, new Site(OperationKind.Add, name, file, line));

    internal static long Decrement(
        ref long location,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.Add(ref location, -1L, new Site(OperationKind.Add, name, file, line));

    internal static int Add(
        ref int location,
        int value,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.Add(ref location, value, new Site(OperationKind.Add, name, file, line));

    internal static long Add(
        ref long location,
        long value,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.Add(ref location, value, new Site(OperationKind.Add, name, file, line));

    internal static long Read(
        ref readonly long location,
        [CallerArgumentExpression(nameof(location))] string name = "",
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        SharedMemory.Read(ref Unsafe.AsRef(in location), new Site(OperationKind.Read, name, file, line));
}
