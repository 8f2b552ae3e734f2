namespace Orleans.Timers.Scalable.Tests.Upstream;

internal static class Defect
{
    /// <summary>
    /// Ends a reproduction: it passes while Orleans has the defect, and says so when it has it no more.
    /// </summary>
    internal static void ShowsAgain(bool isStillThere, string section) => Assert.SkipUnless(
        isStillThere,
        $"This version of Orleans does not show \"{section}\" any more: mend its page in docs/upstream, and what the "
            + "library does about it.");

    /// <summary>While the library serves Orleans' static timers there is nothing of Orleans to be seen.</summary>
    internal static void SkipWhileServed() => Assert.SkipWhen(
        StaticTimerUsers.Instance.Current is not null,
        "The library serves Orleans' static timers in this process.");
}
