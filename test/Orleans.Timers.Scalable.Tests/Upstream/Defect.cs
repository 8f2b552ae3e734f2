namespace Orleans.Timers.Scalable.Tests.Upstream;

internal static class Defect
{
    /// <summary>
    /// Ends a reproduction. The test passes while Orleans has the defect, and is skipped with a message when Orleans no
    /// longer has it.
    /// </summary>
    internal static void ShowsAgain(bool isStillThere, string section) => Assert.SkipUnless(
        isStillThere,
        $"This version of Orleans does not show \"{section}\" any more: update its page in docs/upstream, and what "
            + "the library does about it.");

    /// <summary>While the library serves Orleans' static timers, Orleans' own behaviour cannot be seen.</summary>
    internal static void SkipWhileServed() => Assert.SkipWhen(
        StaticTimerUsers.Instance.Current is not null,
        "The library serves Orleans' static timers in this process.");
}
