namespace ScalableTimers.Tests.Statistics;

internal static class SequenceExtensions
{
    internal static IEnumerable<(T First, T Second)> Pairwise<T>(this IEnumerable<T> source)
    {
        var list = source.ToList();
        return list.Zip(list.Skip(1));
    }
}
