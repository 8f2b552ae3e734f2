using System.Runtime.CompilerServices;

namespace ScalableTimers.Tests.Timers;

/// <summary>
/// No timer of the service keeps its caller's <see cref="ExecutionContext"/>, and with it the state of a request. Those
/// of the <see cref="TimeProvider"/> do, like .NET's own.
/// </summary>
public sealed class CapturedContextTests : InVirtualTime
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    [Fact]
    public void EveryKindOfTimer_KeepsNothingOfTheContext()
    {
        using var source = new CancellationTokenSource();
        ITimer? timer = null;

        AssertKeepsNothing(() => Service.Schedule(static _ => { }, null, s_hour));
        AssertKeepsNothing(() => _ = Service.Delay(s_hour, source.Token));
        AssertKeepsNothing(() => timer = Service.CreatePeriodicTimer(static _ => { }, null, s_hour, s_hour));
        AssertKeepsNothing(() => _ = Service.GetTimeoutToken(s_hour));

        GC.KeepAlive(timer);
    }

    [Fact]
    public void NewServiceOfTheSystemClock_ItsThreadKeepsNothingOfTheContext()
    {
        TimerService? service = null;
        AssertKeepsNothing(() =>
        {
            service = Services.WithSystemClock();
            service.Schedule(static _ => { }, null, s_hour);
        });
        service!.Dispose();
    }

    [Fact]
    public void CreateTimer_OfTheProvider_KeepsTheContextUntilItIsDisposed()
    {
        ITimer? timer = null;
        var state = StateIn(() => timer = Service.TimeProvider.CreateTimer(static _ => { }, null, s_hour, s_hour));
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
