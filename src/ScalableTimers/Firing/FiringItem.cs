using System.Diagnostics;
using ScalableTimers.Wheel;

namespace ScalableTimers.Firing;

/// <summary>An expired timer that is to run: a callback with its state.</summary>
internal readonly struct FiringItem(TimerCallback callback, object? state)
{
    private readonly TimerCallback _callback = callback;
    private readonly object? _state = state;

    /// <summary>
    /// Makes the processor fetch the object that <see cref="Fire"/> will touch first. With many timers pending it is in
    /// no cache.
    /// </summary>
    internal void Prefetch() => ProcessorCache.Fetch(_state ?? _callback);

    internal void Fire() => _callback(_state);

    /// <summary>What runs, for people to read: a callback's method; null if it is not known.</summary>
    internal string? Describe() => NameOf(_state is IFiringTarget target ? target.Callback : _callback);

    /// <summary>A callback's method with its type.</summary>
    /// <remarks>
    /// Unlike reflection, this works in trimmed programs, where it may know nothing. A method that was compiled at run
    /// time, such as a lambda expression, has no type.
    /// </remarks>
    internal static string? NameOf(TimerCallback? callback) =>
        callback is not null && DiagnosticMethodInfo.Create(callback) is { } method
            ? (method.DeclaringTypeName is { } type ? $"{type}." : null) + method.Name
            : null;
}
