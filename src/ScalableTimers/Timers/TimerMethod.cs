using System.Diagnostics;
using System.Runtime.CompilerServices;
using Tasks = System.Threading.Tasks.Task;

namespace ScalableTimers.Timers;

/// <summary>Finds the name of the method that a timer runs or resumes. Never called under a lock.</summary>
internal static class TimerMethod
{
    // A task that waits for a task that waits for a delay. More than that tells little.
    private const int MaxDepth = 4;

    private static readonly bool s_knowsTasks = Probe();

    /// <summary>The name with its type; null if it is not known.</summary>
    internal static string? Of(PendingTimerKind kind, TimerCallback? callback, object? state) => kind switch
    {
        PendingTimerKind.Delay => OfAwaiter(state, MaxDepth),

        // Task.Delay has a callback and a task of its own, which says little.
        PendingTimerKind.TimeProvider when state is Tasks => OfAwaiter(state, MaxDepth) ?? OfDelegate(callback),
        _ => OfDelegate(callback),
    };

    private static string? OfAwaiter(object? awaiter, int depth) => awaiter switch
    {
        null => null,
        _ when depth == 0 => null,
        Delegate action => OfStateMachine(action.Target) ?? OfDelegate(action),
        DetachedDelay delay => OfAwaiter(ReadContinuation(delay.Task), depth - 1),
        Tasks task => OfStateMachine(task) ?? OfAwaiter(ReadContinuation(task), depth - 1),
        _ => OfStateMachine(awaiter),
    };

    // What .NET keeps of a suspended method is of a generic type, one of whose arguments the compiler has made for the
    // method: a type inside the method's type, named <Method>d__1.
    private static string? OfStateMachine(object? box)
    {
        if (box?.GetType() is not { IsGenericType: true } type)
        {
            return null;
        }

        var machine = Array.Find(
            type.GetGenericArguments(), static argument => argument.IsAssignableTo(typeof(IAsyncStateMachine)));
        return machine is null ? null : $"{machine.DeclaringType?.FullName}.{MethodOf(machine.Name)}";
    }

    private static string MethodOf(string machine)
    {
        var end = machine.LastIndexOf('>');
        return machine.StartsWith('<') && end > 1 ? machine[1..end] : machine;
    }

    // Unlike reflection, this works in trimmed programs, where it may know nothing. A method that was compiled at run
    // time, such as a lambda expression, has no type.
    private static string? OfDelegate(Delegate? callback) =>
        callback is not null && DiagnosticMethodInfo.Create(callback) is { } method
            ? (method.DeclaringTypeName is { } type ? $"{type}." : null) + method.Name
            : null;

    private static object? ReadContinuation(Tasks task) => s_knowsTasks ? Volatile.Read(ref Continuation(task)) : null;

    private static bool Probe()
    {
        try
        {
            _ = Continuation(Tasks.CompletedTask);
            return true;
        }
        catch (MissingFieldException)
        {
            return false;
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "m_continuationObject")]
    private static extern ref object? Continuation(Tasks task);
}
