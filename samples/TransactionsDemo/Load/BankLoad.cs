using System.Diagnostics;
using HdrHistogram;
using Orleans.Transactions;
using TransactionsDemo.Bank;

namespace TransactionsDemo.Load;

/// <summary>Keeps every teller busy: each makes one transfer after another, between random accounts.</summary>
/// <param name="grains">The bank.</param>
/// <param name="seed">Determines the accounts and amounts. Equal seeds give equal transfers.</param>
internal sealed class BankLoad(IGrainFactory grains, int seed)
{
    /// <summary>Enough that transfers seldom meet.</summary>
    public const int Accounts = 2_000;

    /// <summary>The number of concurrent transfers.</summary>
    public const int Tellers = 128;

    private const int MostMicroseconds = 600_000_000;

    private readonly LongConcurrentHistogram _latencies = new(1, MostMicroseconds, 3);
    private long _committed;
    private long _failed;
    private long _inDoubt;
    private volatile bool _measuresLatencies;
    private volatile bool _stops;

    /// <summary>Transfers that their teller reported as done.</summary>
    public long Committed => Interlocked.Read(ref _committed);

    /// <summary>Transfers that were aborted.</summary>
    public long Failed => Interlocked.Read(ref _failed);

    /// <summary>Transfers whose outcome their callers do not know.</summary>
    public long InDoubt => Interlocked.Read(ref _inDoubt);

    /// <summary>The latencies, in microseconds, of transfers that ended after <see cref="MeasureLatencies"/>.</summary>
    public HistogramBase Latencies => _latencies;

    public void MeasureLatencies() => _measuresLatencies = true;

    /// <summary>Begins no more transfers.</summary>
    public void Stop() => _stops = true;

    /// <summary>Ends when the load has been stopped and the last transfer has ended.</summary>
    public Task RunAsync() =>
        Task.WhenAll(Enumerable.Range(0, Tellers).Select(teller => Task.Run(() => WorkAsync(teller))));

    private async Task WorkAsync(int teller)
    {
        var grain = grains.GetGrain<ITellerGrain>(teller);
        var random = new Random((seed * 10_000) + teller);
        while (!_stops)
        {
            var from = random.Next(Accounts);
            var to = (from + random.Next(1, Accounts)) % Accounts;

            // Go to the end of the pool's queue. Otherwise a few tellers would make transfer after transfer while
            // others wait for seconds.
            await Task.Yield();
            var startedAt = Stopwatch.GetTimestamp();
            if (!await TryTransferAsync(grain, from, to, random.Next(1, 101)))
            {
                continue;
            }

            Interlocked.Increment(ref _committed);
            if (_measuresLatencies)
            {
                var microseconds = (long)Stopwatch.GetElapsedTime(startedAt).TotalMicroseconds;
                _latencies.RecordValue(Math.Clamp(microseconds, 1, MostMicroseconds));
            }
        }
    }

    private async Task<bool> TryTransferAsync(ITellerGrain teller, int from, int to, long amount)
    {
        try
        {
            await teller.Transfer(from, to, amount);
            return true;
        }
        catch (Exception exception) when (exception is OrleansTransactionInDoubtException or TimeoutException)
        {
            Interlocked.Increment(ref _inDoubt);
        }
        catch (OrleansTransactionException)
        {
            Interlocked.Increment(ref _failed);
        }

        return false;
    }
}
