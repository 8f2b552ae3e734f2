using System.Diagnostics;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Polling;

/// <summary>
/// Requests at a given rate, begun and uploaded by a thread for each processor, a batch each millisecond.
/// </summary>
/// <remarks>
/// The pool may fall behind these threads. So "a second" counts until the last uploaded request is over, and not until
/// the threads are.
/// </remarks>
internal sealed class PollingLoad(Poll poll, int milliseconds, int perMillisecond)
{
    internal const int UploadMilliseconds = 100;

    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(30);

    private readonly Upload?[] _uploads = new Upload?[milliseconds * perMillisecond];
    private int _uploaded;

    internal static Measurement Run(Poll poll, int rate, int milliseconds)
    {
        var loads = Enumerable.Range(0, Environment.ProcessorCount)
            .Select(_ => new PollingLoad(poll, milliseconds, rate / 1_000 / Environment.ProcessorCount))
            .ToList();
        var before = Usage.Now();
        var threads = loads.Select(static load => new Thread(load.Generate)).ToList();
        threads.ForEach(static thread => thread.Start());
        threads.ForEach(static thread => thread.Join());
        while (loads.Exists(static load => Volatile.Read(ref load._uploaded) < load._uploads.Length))
        {
            Thread.Sleep(1);
        }

        var after = Usage.Now();
        var requests = loads.Sum(static load => load._uploads.Length);
        return Measurement.OfOperations(before, after, requests, threads: 1) with
        {
            WallNanoseconds = double.NaN,

            // The last upload ends this long after the last request has begun.
            PerSecond = requests / (before.WallUntil(after).TotalSeconds - (UploadMilliseconds / 1e3)),
        };
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
                    Begin((now * perMillisecond) + i);
                }

                if (now >= UploadMilliseconds)
                {
                    Complete(((now - UploadMilliseconds) * perMillisecond) + i);
                }
            }
        }
    }

    private void Begin(int request)
    {
        var upload = new Upload();
        _uploads[request] = upload;
        _ = EndAsync(poll(upload, s_timeout));
    }

    private void Complete(int request)
    {
        _uploads[request]!.Complete();
        _uploads[request] = null;
    }

    private async Task EndAsync(Task<bool> request)
    {
        Loops.MustBe(await request.ConfigureAwait(false));
        Interlocked.Increment(ref _uploaded);
    }
}
