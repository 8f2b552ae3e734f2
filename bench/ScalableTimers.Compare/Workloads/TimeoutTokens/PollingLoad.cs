using System.Diagnostics;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.TimeoutTokens;

/// <summary>
/// Requests at a given rate, begun and uploaded by a thread for each processor, a batch each millisecond.
/// </summary>
internal sealed class PollingLoad(
    Func<Upload, TimeSpan, Task<bool>> poll, int milliseconds, int perMillisecond, int timeoutsInHundred)
{
    internal const int UploadMilliseconds = 100;
    internal const int TimeoutMilliseconds = 500;
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(TimeoutMilliseconds);

    private readonly Upload?[] _uploads = new Upload?[milliseconds * perMillisecond];
    private int _ended;

    private bool IsOver => Volatile.Read(ref _ended) == _uploads.Length;

    internal static Measurement Run(
        Func<Upload, TimeSpan, Task<bool>> poll, int rate, int milliseconds, int timeoutsInHundred)
    {
        var loads = Enumerable.Range(0, Environment.ProcessorCount)
            .Select(
                _ => new PollingLoad(poll, milliseconds, rate / 1_000 / Environment.ProcessorCount, timeoutsInHundred))
            .ToList();
        var before = Usage.Now();
        var threads = loads.Select(static load => new Thread(load.Generate)).ToList();
        threads.ForEach(static thread => thread.Start());
        threads.ForEach(static thread => thread.Join());
        var begun = Usage.Now();
        while (!loads.TrueForAll(static load => load.IsOver))
        {
            Thread.Sleep(1);
        }

        var after = Usage.Now();
        var requests = (double)loads.Sum(static load => load._uploads.Length);
        var processor = (after.Processor - before.Processor).TotalNanoseconds / requests;
        return new Measurement
        {
            Compared = processor,
            CpuNanoseconds = processor,

            // The threads continue until the last upload has ended, which is this long after the last request has
            // begun.
            PerSecond = requests / (before.WallUntil(begun).TotalSeconds - (UploadMilliseconds / 1e3)),
            Bytes = (after.Bytes - before.Bytes) / requests,
            Collections = after.Collections - before.Collections,
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
        if (request % 100 >= timeoutsInHundred)
        {
            _uploads[request]!.Complete();
        }

        _uploads[request] = null;
    }

    private async Task EndAsync(Task<bool> request)
    {
        await request.ConfigureAwait(false);
        Interlocked.Increment(ref _ended);
    }
}
