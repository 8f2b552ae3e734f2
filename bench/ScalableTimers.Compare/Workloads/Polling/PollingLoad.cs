using System.Diagnostics;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Polling;

/// <summary>
/// Requests at a given rate: a thread for each processor starts and uploads a batch each millisecond.
/// </summary>
/// <param name="poll">Sends a request. Returns whether it was uploaded before its timeout.</param>
/// <param name="milliseconds">How long to start requests.</param>
/// <param name="perMillisecond">How many to start at once.</param>
/// <remarks>
/// The pool may fall behind these threads, so "a second" counts until the last upload has ended, not until the threads
/// have.
/// </remarks>
internal sealed class PollingLoad(
    Func<Upload, TimeSpan, Task<bool>> poll, int milliseconds, int perMillisecond)
{
    internal const int UploadMilliseconds = 100;

    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(30);

    private readonly Queue<Upload> _underWay = new((UploadMilliseconds + 1) * perMillisecond);
    private int _ended;

    internal static Measurement Run(
        Func<Upload, TimeSpan, Task<bool>> poll, int rate, int milliseconds)
    {
        var loads = Enumerable.Range(0, Environment.ProcessorCount)
            .Select(_ => new PollingLoad(poll, milliseconds, rate / 1_000 / Environment.ProcessorCount))
            .ToList();
        var before = Usage.Now();
        var threads = loads.Select(static load => new Thread(load.Generate)).ToList();
        threads.ForEach(static thread => thread.Start());
        threads.ForEach(static thread => thread.Join());
        var each = milliseconds * (rate / 1_000 / Environment.ProcessorCount);
        while (loads.Exists(load => Volatile.Read(ref load._ended) < each))
        {
            Thread.Sleep(1);
        }

        var after = Usage.Now();
        var requests = loads.Count * each;
        var measured = Measurement.OfOperations(before, after, requests, threads: 1).Except(Column.Wall);

        // The last upload ends this long after the last request has begun.
        measured[Column.PerSecond] = requests / (before.WallUntil(after).TotalSeconds - (UploadMilliseconds / 1e3));
        return measured;
    }

    private void Generate()
    {
        var start = Stopwatch.GetTimestamp();
        for (var now = 0; now < milliseconds + UploadMilliseconds; now++)
        {
            // A thread that has fallen behind does not sleep.
            while (Stopwatch.GetElapsedTime(start).TotalMilliseconds < now)
            {
                Thread.Sleep(1);
            }

            for (var i = 0; i < perMillisecond; i++)
            {
                if (now < milliseconds)
                {
                    var upload = new Upload();
                    _underWay.Enqueue(upload);
                    _ = EndAsync(poll(upload, s_timeout));
                }

                if (now >= UploadMilliseconds)
                {
                    _underWay.Dequeue().Complete();
                }
            }
        }
    }

    private async Task EndAsync(Task<bool> request)
    {
        Loops.MustBe(await request.ConfigureAwait(false));
        Interlocked.Increment(ref _ended);
    }
}
