#if ORLEANS
using System.Globalization;
using Orleans.Timers.Scalable.Compare;

switch (args)
{
    case ["response-timeouts", var kind]:
        await Lateness.Measure(Enum.Parse<Setup>(kind, ignoreCase: true), isChosenAtRunTime: false);
        break;
    case ["call-timeouts"]:
        await Lateness.Measure(Setup.Scalable, isChosenAtRunTime: true);
        break;
    case ["outstanding", var kind, var calls]:
        await Outstanding.Measure(
            Enum.Parse<Setup>(kind, ignoreCase: true), int.Parse(calls, CultureInfo.InvariantCulture));
        break;
    case ["timeout-costs"]:
        await TimeoutCosts.Measure();
        break;
    case ["deadline-costs"]:
        await DeadlineCosts.Print(rounds: 15, calls: 50_000);
        break;
    case ["static-timers"]:
        await IdleCosts.Measure();
        break;
    case ["timer-manager"]:
        ManagedDelays.Measure(pairs: 250_000);
        break;
    default:
        await Console.Error.WriteLineAsync(
            "usage: response-timeouts KIND | call-timeouts | outstanding KIND CALLS | timeout-costs | deadline-costs "
            + "| static-timers | timer-manager; KIND is stock, scalable or every20ms");
        return 2;
}

return 0;
#else
Console.Error.WriteLine("Built without Orleans: there is nothing to measure.");
return 1;
#endif
