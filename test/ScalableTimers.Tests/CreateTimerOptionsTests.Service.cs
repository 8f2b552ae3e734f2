using ScalableTimers.Tests.Clock;
namespace ScalableTimers.Tests;

/// <summary>How the service uses the options of a periodic timer.</summary>
public partial class CreateTimerOptionsTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    [Fact]
    public void CreateTimer_OptionOutOfRange_NamesTheArgument()
    {
        using var service = new TimerService();
        var options = new CreateTimerOptions { Tolerance = -s_second };

        Assert.Throws<ArgumentException>(
            "options", () => service.CreateTimer(static _ => { }, null, s_second, s_second, options));
    }

    [Fact]
    public void Options_AreReadOnce()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(clock: clock);
        var options = new CreateTimerOptions();
        var fired = 0;
        using var timer = service.CreateTimer(_ => fired++, null, s_second, s_second, options);
        options.Tolerance = TimeSpan.FromHours(1);

        timer.Change(s_second, Timeout.InfiniteTimeSpan);
        clock.Advance(s_second);

        Assert.Equal(1, fired);
    }
}
