#if ORLEANS
using System.Globalization;
using Orleans.Timers.Scalable.CallCosts;

await CallCostTable.Print(rounds: args is [var rounds, ..] ? int.Parse(rounds, CultureInfo.InvariantCulture) : 15, calls: 100_000);
#else
Console.WriteLine("Built with Orleans=off: there is nothing to measure.");
#endif
