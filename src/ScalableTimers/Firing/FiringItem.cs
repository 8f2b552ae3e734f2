using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using ScalableTimers.Wheel;

namespace ScalableTimers.Firing;

/// <summary>An expired timer to run: a callback with its state.</summary>
internal readonly struct FiringItem(TimerCallback callback, object? state)
{
    private readonly TimerCallback _callback = callback;
    private readonly object? _state = state;

    /// <summary>An item that resumes code after a wait.</summary>
    internal FiringItem(IResumption resumption)
        : this(Resume, resumption)
    {
    }

    /// <summary>A callback whose state is an <see cref="IResumption"/>.</summary>
    internal static TimerCallback Resume { get; } = static resumption => ((IResumption)resumption!).Resume();

    /// <summary>A callback that cancels its state, a source.</summary>
    internal static TimerCallback CancelSource { get; } = static source => Cancel((CancellationTokenSource)source!);

    /// <summary>
    /// Makes the processor fetch the object that <see cref="Fire"/> will touch first. With many timers pending, no
    /// cache holds it.
    /// </summary>
    internal void Prefetch() => ProcessorCache.Fetch(_state ?? _callback);

    internal void Fire() => _callback(_state);

    /// <summary>
    /// Whether it is a callback that the disposal of the service waits for. Code that goes on after a wait, or when a
    /// token is cancelled, may itself wait for the disposal: the main method of a host does.
    /// </summary>
    internal bool IsWaitedFor => !ReferenceEquals(_callback, Resume) && !ReferenceEquals(_callback, CancelSource);

    /// <summary>A callback with a typed state, as one with an untyped state. The state must have that type.</summary>
    /// <remarks>
    /// Both delegates pass one reference to the method that they refer to, and calling a delegate checks no type. An
    /// adapter would cost an object for each timer.
    /// </remarks>
    [return: NotNullIfNotNull(nameof(callback))]
    internal static TimerCallback? Untyped<TState>(Action<TState>? callback)
        where TState : class? => Unsafe.As<TimerCallback>(callback);

    /// <summary>A callback's method with its type.</summary>
    /// <remarks>
    /// Unlike reflection, this works in trimmed programs, though it may find nothing there. A method compiled at run
    /// time, such as an expression tree, has no type.
    /// </remarks>
    internal static string? NameOf(TimerCallback? callback) =>
        callback is not null && DiagnosticMethodInfo.Create(callback) is { } method
            ? (method.DeclaringTypeName is { } type ? $"{type}." : null) + method.Name
            : null;

    // The owner of a source may dispose it while its timeout is about to fire, as with .NET's own timeout. What a
    // callback of the source throws comes as an AggregateException.
    private static void Cancel(CancellationTokenSource source)
    {
        try
        {
            source.Cancel();
        }
        catch (ObjectDisposedException)
        {
        }
    }
}
