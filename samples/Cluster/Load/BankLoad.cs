using System.Collections.Concurrent;
using System.Diagnostics;
using Cluster.Bank;
using Orleans.Timers.Scalable;
using Orleans.Transactions;

namespace Cluster.Load;

/// <summary>Transfers between random accounts. Each caller makes one after another.</summary>
/// <param name="grains">The bank.</param>
/// <param name="hasDeadlines">Whether some calls have a deadline.</param>
internal sealed class BankLoad(IGrainFactory grains, bool hasDeadlines)
{
    public const int Accounts = 400;

    private const int Callers = 24;
    private const int Tellers = 60;
    private const int MaxSeconds = 3_600;

    private static readonly TimeSpan s_pauseAfterFailure = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(5);

    private readonly ConcurrentQueue<Transfer> _transfers = [];
    private readonly ConcurrentQueue<double> _lateness = [];
    private readonly int[] _committedBySecond = new int[MaxSeconds];
    private readonly long _startedAt = Stopwatch.GetTimestamp();
    private TimeSpan? _stoppedAt;
    private volatile bool _stops;
    private int _last;

    public TimeSpan Elapsed => Stopwatch.GetElapsedTime(_startedAt);

    public IReadOnlyCollection<Transfer> Transfers => _transfers;

    /// <summary>The lateness of response timeouts, in milliseconds.</summary>
    public IReadOnlyCollection<double> Lateness => _lateness;

    /// <summary>The committed transfers of each second that has passed, until the load was stopped.</summary>
    public IReadOnlyList<int> CommittedBySecond =>
        _committedBySecond[..(int)(_stoppedAt ?? Elapsed).TotalSeconds];

    /// <summary>
    /// The longest time, in seconds, in which no transfer of some account committed, from a moment until the load was
    /// stopped. An account has several transfers a second.
    /// </summary>
    public double LongestPauseOfAccount(double since)
    {
        var until = (_stoppedAt ?? Elapsed).TotalSeconds;
        var ends = _transfers
            .Where(each => each.Fate == Fate.Committed && each.EndedAt >= since && each.EndedAt < until)
            .SelectMany(static each => new[] { (Account: each.From, each.EndedAt), (Account: each.To, each.EndedAt) })
            .ToLookup(static each => each.Account, static each => each.EndedAt);
        return Enumerable.Range(0, Accounts).Max(account => ends[account].Append(until).Order().Aggregate(
            (Longest: 0.0, Last: since),
            static (pause, end) => (Math.Max(pause.Longest, end - pause.Last), end)).Longest);
    }

    /// <summary>Begins no more transfers.</summary>
    public void Stop()
    {
        _stoppedAt = Elapsed;
        _stops = true;
    }

    /// <summary>Ends when the load has been stopped and the last call has ended.</summary>
    public Task RunAsync() => Task.WhenAll(
        Enumerable.Range(0, Callers).Select(caller => Task.Run(() => TransferAsync(new Random(caller))))
            .Append(Task.Run(MissTimeoutsAsync)));

    private async Task TransferAsync(Random random)
    {
        while (!_stops)
        {
            var number = Interlocked.Increment(ref _last);
            var from = random.Next(Accounts);
            var to = (from + random.Next(1, Accounts)) % Accounts;
            var (fate, error) = await TryAsync(number, from, to, random.Next(1, 101));
            var endedAt = Elapsed.TotalSeconds;
            _transfers.Enqueue(new Transfer(number, from, to, fate, error, endedAt));
            if (fate == Fate.Committed)
            {
                Interlocked.Increment(ref _committedBySecond[(int)endedAt]);
            }
            else
            {
                await Task.Delay(s_pauseAfterFailure);
            }
        }
    }

    private async Task<(Fate Fate, string? Error)> TryAsync(int number, int from, int to, long amount)
    {
        var teller = grains.GetGrain<ITellerGrain>(number % Tellers);
        try
        {
            using var deadline = hasDeadlines && number % 8 == 0 ? CallDeadline.Begin(s_deadline) : default;
            await teller.Transfer(number, from, to, amount);
            return (Fate.Committed, null);
        }
        catch (OrleansTransactionAbortedException exception)
        {
            return (Fate.Aborted, exception.GetType().Name);
        }
        catch (Exception exception)
        {
            return (Fate.InDoubt, exception.GetType().Name);
        }
    }

    /// <summary>The period does not divide a second, which is the period of Orleans' own check.</summary>
    private async Task MissTimeoutsAsync()
    {
        var calls = new List<Task>();
        for (var call = 0; !_stops; call++)
        {
            calls.Add(MissTimeoutAsync(grains.GetGrain<ISlowGrain>(call % 10)));
            await Task.Delay(130);
        }

        await Task.WhenAll(calls);
    }

    private async Task MissTimeoutAsync(ISlowGrain grain)
    {
        var startedAt = Stopwatch.GetTimestamp();
        try
        {
            await grain.AnswerTooLate();
        }
        catch (TimeoutException)
        {
            _lateness.Enqueue((Stopwatch.GetElapsedTime(startedAt) - ISlowGrain.ResponseTimeout).TotalMilliseconds);
        }
        catch (Exception exception)
            when (exception is OrleansException or InvalidOperationException or OperationCanceledException)
        {
            // Its silo is gone, or Orleans found no other one for it in time.
        }
    }
}
