using System.Diagnostics;
using System.Runtime.CompilerServices;
using ScalableTimers.Wheel;

namespace ScalableTimers.Firing;

/// <summary>An expired timer that is to run: a callback with its state, or an object that fires itself.</summary>
internal readonly struct FiringItem
{
    private readonly object _target;
    private readonly object? _state;

    internal FiringItem(TimerCallback callback, object? state)
    {
        _target = callback;
        _state = state;
    }

    internal FiringItem(IFiringTarget target)
    {
        _target = target;
        _state = null;
    }

    /// <summary>
    /// Makes the processor fetch the object that <see cref="Fire"/> will touch first. With many timers pending it is in
    /// no cache.
    /// </summary>
    internal void Prefetch() => ProcessorCache.Fetch(_state ?? _target);

    internal void Fire()
    {
        if (_target is TimerCallback callback)
        {
            callback(_state);
        }
        else
        {
            Unsafe.As<IFiringTarget>(_target).Fire();
        }
    }

    /// <summary>What runs, for people to read: a callback's method; null if it is not known.</summary>
    internal string? Describe() => NameOf(_target as TimerCallback ?? Unsafe.As<IFiringTarget>(_target).Callback);

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
