namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>One thread's loop, with operations and durations drawn beforehand.</summary>
internal static class AddLoop
{
    private const int Length = 4096;

    internal static Action<int> Create<TAdder>(TAdder adder)
        where TAdder : struct, IAdder
    {
        var random = new Random(Environment.CurrentManagedThreadId);
        var operations = Enumerable.Range(0, Length).Select(_ => random.Next(OperationAdds.Operations)).ToArray();
        var durations = Enumerable.Range(0, Length).Select(_ => random.NextInt64(1L << random.Next(1, 28))).ToArray();
        var at = 0;
        return count => at = Run(adder, operations, durations, at, count);
    }

    private static int Run<TAdder>(TAdder adder, int[] operations, long[] durations, int at, int count)
        where TAdder : struct, IAdder
    {
        for (var i = 0; i < count; i++)
        {
            adder.Add(operations[at & (Length - 1)], durations[at & (Length - 1)]);
            at++;
        }

        return at;
    }
}
