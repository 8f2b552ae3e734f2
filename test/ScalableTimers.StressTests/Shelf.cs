namespace ScalableTimers.StressTests;

/// <summary>Places where threads leave things for others to end. Only one thread holds a thing at a time.</summary>
internal sealed class Shelf<T>(int places)
    where T : class
{
    private readonly T?[] _places = new T?[places];
    private uint _next;

    /// <summary>Leaves a thing, or nothing, and returns what was in its place.</summary>
    internal T? Exchange(T? thing) =>
        Interlocked.Exchange(ref _places[Interlocked.Increment(ref _next) % (uint)places], thing);

    internal void TakeAll(Action<T> end)
    {
        for (var i = 0; i < places; i++)
        {
            if (Exchange(null) is { } thing)
            {
                end(thing);
            }
        }
    }
}
