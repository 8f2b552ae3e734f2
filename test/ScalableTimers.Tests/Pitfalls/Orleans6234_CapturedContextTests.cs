using System.Runtime.CompilerServices;
using ScalableTimers.Testing;

namespace ScalableTimers.Tests.Pitfalls;

/// <summary>dotnet/orleans #6234: a captured <see cref="ExecutionContext"/> kept the state of requests alive.</summary>
public class Orleans6234_CapturedContextTests
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void Schedule_KeepsNothingOfTheContext()
    {
        using var service = new TimerService(clock: _clock);

        AssertKeepsNothing(() => service.Schedule(static _ => { }, null, s_hour));
    }

    [Fact]
    public void Delay_ThatNobodyAwaits_KeepsNothingOfTheContext()
    {
        using var service = new TimerService(clock: _clock);
        using var source = new CancellationTokenSource();

        AssertKeepsNothing(() => _ = service.Delay(s_hour, source.Token));
        GC.KeepAlive(source);
    }

    [Fact]
    public void GetTimeoutToken_KeepsNothingOfTheContext()
    {
        using var service = new TimerService(clock: _clock);

        AssertKeepsNothing(() => _ = service.GetTimeoutToken(s_hour));
    }

    [Fact]
    public void NewServiceAndItsFirstTimer_KeepNothingOfTheContext()
    {
        TimerService? service = null;
        AssertKeepsNothing(() =>
        {
            service = new TimerService(clock: _clock);
            service.Schedule(static _ => { }, null, s_hour);
        });
        service!.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void NewServiceOfTheSystemClock_ItsThreadKeepsNothingOfTheContext(bool firesOnDriverThread)
    {
        TimerService? service = null;
        AssertKeepsNothing(() =>
        {
            service = Services.WithSystemClock(TimerDriverKind.Thread, firesOnDriverThread);
            service.Schedule(static _ => { }, null, s_hour);
        });
        service!.Dispose();
    }

    [Fact]
    public void CreateTimer_KeepsTheContextAsPromised_UntilItIsDisposed()
    {
        using var service = new TimerService(clock: _clock);
        ITimer? timer = null;
        var state = StateIn(() => timer = service.TimeProvider.CreateTimer(static _ => { }, null, s_hour, s_hour));
        Services.CollectGarbage();
        Assert.True(state.IsAlive);

        timer!.Dispose();
        Wait.ForCollection(state);
        GC.KeepAlive(timer);
    }

    private static void AssertKeepsNothing(Action action) => Wait.ForCollection(StateIn(action));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference StateIn(Action action)
    {
        var state = new object();
        var request = new AsyncLocal<object?> { Value = state };
        action();
        request.Value = null;
        return new WeakReference(state);
    }
}
