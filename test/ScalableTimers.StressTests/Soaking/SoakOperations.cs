using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>Runs operations one after the other, chosen at random, and keeps what has to be ended later.</summary>
internal sealed class SoakOperations
{
    private const int SourceUses = 24;
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_rented = TimeSpan.FromSeconds(30);

    private readonly SoakRun _run;
    private readonly Random _random;
    private readonly DueTimes[] _dueTimes;
    private readonly SlotRing<CallbackSlot> _callbacks;
    private readonly SlotRing<DelaySlot> _delays;
    private readonly SlotRing<TokenSlot> _shared;
    private readonly SlotRing<TokenSlot> _rented;
    private readonly CallbackSlot?[] _heldCallbacks = new CallbackSlot?[512];
    private readonly TokenSlot?[] _heldShared = new TokenSlot?[256];
    private readonly TokenSlot?[] _heldRented = new TokenSlot?[64];
    private readonly DelaySlot?[] _unread = new DelaySlot?[32];
    private readonly SoakTimers _timers;
    private CancelSource _source = new();
    private int _sourceUses;

    public SoakOperations(SoakRun run, Random random)
    {
        (_run, _random) = (run, random);
        _dueTimes =
        [
            .. run.Subjects.Select(
                subject => new DueTimes(random, subject.Service, subject.Resolution, SoakSubject.Longest))
        ];
        _callbacks = new SlotRing<CallbackSlot>(1 << 16, () => new CallbackSlot(run));
        _delays = new SlotRing<DelaySlot>(1 << 15, () => new DelaySlot(run));
        _shared = new SlotRing<TokenSlot>(1 << 13, () => new TokenSlot(run, SoakKind.SharedTimeout));
        _rented = new SlotRing<TokenSlot>(1 << 12, () => new TokenSlot(run, SoakKind.RentedTimeout));
        _timers = new SoakTimers(run, random);
    }

    internal bool HaveAllEnded =>
        _callbacks.AreAllFree && _delays.AreAllFree && _shared.AreAllFree && _rented.AreAllFree;

    internal void Next()
    {
        var subject = _random.Next(_run.Subjects.Length);
        switch (_random.Next(1000))
        {
            case < 640:
                Schedule(_run.Subjects[subject], _dueTimes[subject]);
                break;
            case < 760:
                Delay(_run.Subjects[subject], _dueTimes[subject].Next());
                break;
            case < 830:
                Share(_run.Subjects[subject], _dueTimes[subject].Next());
                break;
            case < 930:
                Rent(_run.Subjects[subject]);
                break;
            case < 938:
                _timers.UseProvider(_run.Subjects[subject]);
                break;
            case < 940:
                _timers.Renew(_run.Subjects[subject]);
                break;
            case < 970:
                _run.AddStatistics(TimeSpan.FromTicks(_random.Next(1, 1_000_000)));
                break;
            case < 971:
                Volley(_run.Subjects[subject]);
                break;
            case < 972:
                Look(_run.Subjects[subject].Service);
                break;
            case < 985:
                _run.CancelPeers(2);
                break;
            case < 990:
                _run.Exchange((CancelSource?)null)?.Cancel();
                break;
            default:
                Exchange(_unread, null)?.Read();
                break;
        }
    }

    /// <summary>Ends or releases everything that this object holds. Timers that are left to fire continue.</summary>
    internal void EndAll()
    {
        Array.ForEach(_heldCallbacks, static slot => slot?.Cancel(twice: true));
        Array.ForEach(_heldShared, static slot => slot?.End());
        Array.ForEach(_heldRented, static slot => slot?.End());
        Array.ForEach(_unread, static slot => slot?.Read());
        _timers.EndAll();
        _source.Cancel();
    }

    internal void ReportLost()
    {
        _callbacks.ReportLost(_run.Tally);
        _delays.ReportLost(_run.Tally);
        _shared.ReportLost(_run.Tally);
        _rented.ReportLost(_run.Tally);
        _timers.ReportLost();
    }

    private void Schedule(SoakSubject subject, DueTimes dueTimes)
    {
        if (_callbacks.Next() is not { } slot)
        {
            return;
        }

        var choice = _random.Next(10);
        if (choice < 3)
        {
            slot.Schedule(subject, dueTimes.Next(), NextAct());
            return;
        }

        slot.ScheduleHeld(subject, _random.Next(4) == 0 ? s_hour : dueTimes.Next());
        switch (choice)
        {
            case < 6:
                slot.Cancel(twice: _random.Next(8) == 0);
                break;
            case < 8:
                Dismiss(Exchange(_heldCallbacks, slot), dueTimes.Next());
                break;
            default:
                Dismiss(_run.Exchange(slot), dueTimes.Next());
                break;
        }
    }

    /// <summary>
    /// Many timers that are due together. So some are cancelled at the moment when they expire: here, by other threads,
    /// and by one another.
    /// </summary>
    private void Volley(SoakSubject subject)
    {
        var dueTime = subject.Resolution * _random.Next(1, 4);
        for (var i = 0; i < 100; i++)
        {
            if (i % 10 == 0)
            {
                _callbacks.Next()?.Schedule(subject, dueTime, SoakAct.CancelPeers);
            }
            else if (_callbacks.Next() is { } slot)
            {
                slot.ScheduleHeld(subject, dueTime);
                _run.Exchange(slot)?.Cancel(twice: i == 1);
            }
        }
    }

    private void Dismiss(CallbackSlot? slot, TimeSpan dueTime)
    {
        switch (_random.Next(4))
        {
            case 0:
                slot?.Reschedule(dueTime);
                slot?.LetGo();
                break;
            case 1:
                slot?.Reschedule(s_hour);
                slot?.Cancel(twice: false);
                break;
            default:
                slot?.Cancel(twice: _random.Next(8) == 0);
                break;
        }
    }

    private void Delay(SoakSubject subject, TimeSpan dueTime)
    {
        if (_delays.Next() is not { } slot)
        {
            return;
        }

        var isRead = _random.Next(16) > 0;
        slot.Start(subject, dueTime, _random.Next(3) == 0 ? null : UseSource(), throws: _random.Next(20) == 0, isRead);
        if (!isRead)
        {
            Exchange(_unread, slot)?.Read();
        }
    }

    private void Share(SoakSubject subject, TimeSpan timeout)
    {
        if (_shared.Next() is { } slot)
        {
            slot.Share(subject, timeout, throws: _random.Next(200) == 0);
            (_random.Next(2) == 0 ? slot : Exchange(_heldShared, slot))?.End();
        }
    }

    private void Rent(SoakSubject subject)
    {
        if (_rented.Next() is { } slot)
        {
            var timeout = _random.Next(4) == 0 ? StressTime.UpTo(4, _random) + TimeSpan.FromTicks(1) : s_rented;
            slot.Rent(subject, timeout, _random.Next(3) == 0 ? UseSource() : null);
            (_random.Next(2) == 0 ? slot : Exchange(_heldRented, slot))?.End();
        }
    }

    private void Look(TimerService service)
    {
        var counted = service.GetSnapshot();
        if (counted.Pending < 0 || counted.Dropped != 0 || counted.HandedOver != 0)
        {
            _run.Tally.Report(SoakFault.Other, $"counted while the service is used: {counted}");
        }

        _ = _run.Statistics.Snapshot();
        _run.ClearedStatistics.Clear();
    }

    /// <summary>
    /// A token source that several delays use. It is then cancelled by this soaker, by another, or never.
    /// </summary>
    private CancelSource UseSource()
    {
        if (++_sourceUses % SourceUses == 0)
        {
            var before = _source;
            _source = new CancelSource();
            switch (_random.Next(3))
            {
                case 0:
                    before.Cancel();
                    break;
                case 1:
                    _run.Exchange(before)?.Cancel();
                    break;
            }
        }

        return _source;
    }

    private SoakAct NextAct() => _random.Next(10_000) switch
    {
        < 3 => SoakAct.Block,
        < 53 => SoakAct.Throw,
        < 1_000 => SoakAct.CancelPeers,
        < 2_500 => SoakAct.ScheduleAgain,
        _ => SoakAct.Nothing,
    };

    private T? Exchange<T>(T?[] places, T? by)
        where T : class
    {
        ref var place = ref places[_random.Next(places.Length)];
        var before = place;
        place = by;
        return before;
    }
}
