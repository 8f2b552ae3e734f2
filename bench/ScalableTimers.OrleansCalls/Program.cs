#if ORLEANS
using ScalableTimers.OrleansCalls;

switch (args)
{
    case ["lateness", var kind]:
        await Lateness.Measure(Enum.Parse<Setup>(kind, ignoreCase: true), isChosenAtRunTime: false);
        break;
    case ["lateness"]:
        await Lateness.Measure(Setup.Scalable, isChosenAtRunTime: true);
        break;
    case ["outstanding", var kind, var calls]:
        await Outstanding.Measure(Enum.Parse<Setup>(kind, ignoreCase: true), int.Parse(calls, System.Globalization.CultureInfo.InvariantCulture));
        break;
    case ["calls"]:
        await CallCosts.Measure();
        break;
    default:
        await Console.Error.WriteLineAsync("usage: lateness [KIND] | outstanding KIND CALLS | calls; KIND is stock, scalable or every20ms");
        return 2;
}

return 0;
#else
Console.Error.WriteLine("Built without Orleans: there is nothing to measure.");
return 1;
#endif
