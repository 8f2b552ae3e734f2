using System.Diagnostics;

namespace TransactionsDemo.Load;

/// <summary>Tells how far a load is, four times a second until it is disposed.</summary>
internal sealed class LoadProgress : IAsyncDisposable
{
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(250);

    private readonly LoadGenerator _load;
    private readonly Action<string> _show;
    private readonly string _stage;
    private readonly Timer _timer;
    private long _lastFinished;
    private long _lastAt = Stopwatch.GetTimestamp();

    public LoadProgress(string stage, LoadGenerator load, Action<string> show)
    {
        (_stage, _load, _show) = (stage, load, show);
        _timer = new Timer(Show, null, s_period, s_period);
    }

    public ValueTask DisposeAsync() => _timer.DisposeAsync();

    private void Show(object? state)
    {
        var (finished, now) = (_load.Finished, Stopwatch.GetTimestamp());
        var rate = (finished - _lastFinished) / Stopwatch.GetElapsedTime(_lastAt, now).TotalSeconds;
        (_lastFinished, _lastAt) = (finished, now);
        _show($"{_stage}{finished:N0} transfers, {rate:N0} a second");
    }
}
