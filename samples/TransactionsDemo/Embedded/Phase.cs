using TransactionsDemo.Timers;

namespace TransactionsDemo.Embedded;

/// <summary>
/// A phase of an attempt. When its time has passed, its calls end too. It belongs to one actor. Disposing it ends it in
/// time.
/// </summary>
internal sealed class Phase : TimedOperation, IDisposable
{
    private readonly DemoTimers _timers;
    private readonly Actor _owner;
    private Call? _calls;

    private Phase(DemoTimers timers, Actor owner)
    {
        _timers = timers;
        _owner = owner;
    }

    public bool IsOver { get; private set; }

    public static Phase Start(DemoTimers timers, Actor owner, TimeSpan dueTime)
    {
        var phase = new Phase(timers, owner);
        timers.Start(phase, dueTime);
        return phase;
    }

    public void Include(Call call)
    {
        call.Next = _calls;
        _calls = call;
    }

    /// <summary>Called by the owner when it receives the phase as a message.</summary>
    public void End()
    {
        IsOver = true;
        for (var call = _calls; call is not null; call = call.Next)
        {
            call.GiveUp();
        }
    }

    public void Dispose() => _timers.TryEndInTime(this);

    protected override void OnTimeout() => _owner.Post(this);
}
