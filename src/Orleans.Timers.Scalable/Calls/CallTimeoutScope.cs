namespace Orleans.Timers.Scalable;

/// <summary>A stretch of code whose calls are bounded; see <see cref="CallTimeout.Begin"/>.</summary>
/// <remarks>A default value restores nothing but the absence of a timeout.</remarks>
public readonly struct CallTimeoutScope : IDisposable
{
    private readonly object? _outer;

    internal CallTimeoutScope(object? outer) => _outer = outer;

    /// <summary>Gives later calls the timeout that they had before the scope began.</summary>
    public void Dispose() => CallTimeout.Set(_outer);
}
