using System.Globalization;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>What does a call cost without filters, with filters that do nothing, and with deadlines?</summary>
/// <remarks>
/// All calls stay within one silo and come one at a time, so that only the path of a call is measured. Rounds
/// alternate, and the median counts.
/// </remarks>
internal static class DeadlineCosts
{
    internal static async Task Print(int rounds, int calls)
    {
        Contestant[] contestants =
        [
            new("no filter", static _ => { }),
            new("filters that do nothing", AddPassingFilter),
            new("the same, one value in the request context", AddPassingFilter, static () => new Value()),
            new("call deadlines, none in force", static silo => silo.AddCallDeadlines()),
            new(
                "call deadlines, one in force",
                static silo => silo.AddCallDeadlines(),
                static () => GrainDeadline.Begin(TimeSpan.FromHours(1))),
        ];
        foreach (var contestant in contestants)
        {
            await contestant.Start();
            await contestant.Run(calls);
        }

        for (var round = 0; round < rounds; round++)
        {
            foreach (var contestant in contestants)
            {
                await contestant.Measure(calls);
            }
        }

        Console.WriteLine("| silo | ns a call | lowest | bytes a call |\n|---|---:|---:|---:|");
        foreach (var contestant in contestants)
        {
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {contestant.Name} | {Median(contestant.Nanoseconds):N0} | {contestant.Nanoseconds.Min():N0} | "
                + $"{Median(contestant.Bytes):N0} |"));
            await contestant.DisposeAsync();
        }
    }

    private static void AddPassingFilter(ISiloBuilder silo)
    {
        var filter = new PassingFilter();
        silo.AddOutgoingGrainCallFilter(filter).AddIncomingGrainCallFilter(filter);
    }

    private static double Median(List<double> values) => values.Order().ElementAt(values.Count / 2);

    private sealed class Value : IDisposable
    {
        internal Value() => RequestContext.Set("key", 1L);

        public void Dispose() => RequestContext.Clear();
    }
}
