using System.Diagnostics;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.TimeoutTokens;

/// <summary>
/// Requests at a given rate, begun and uploaded by a thread for each processor, a batch each millisecond.
/// </summary>
/// <remarks>
/// The pool may fall behind these threads. So "a second" counts until the last uploaded request is over, and not until
/// the threads are.
/// </remarks>
internal sealed class PollingLoad(
    Func<Upload, TimeSpan, Task<bool>> poll, int milliseconds, int perMillisecond, int timeoutsInHundred)
{
    internal const int UploadMilliseconds = 100;
    internal const int TimeoutMilliseconds = 500;

    /// <summary>The share of a load that must be served in time, or the load is too much.</summary>
    internal const double CarriedShare = 0.95;

    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(TimeoutMilliseconds);

    private readonly Upload?[] _uploads = new Upload?[milliseconds * perMillisecond];
    private readonly int _toUpload =
        Enumerable.Range(0, milliseconds * perMillisecond).Count(request => IsUploaded(request, timeoutsInHundred));

    private int _uploaded;
    private int _timedOut;

    private bool AreUploadsOver => Volatile.Read(ref _uploaded) == _toUpload;

    private bool AreTimeoutsOver => Volatile.Read(ref _timedOut) == _uploads.Length - _toUpload;

    /// <summary>Each way with each load, compared with the first way.</summary>
    internal static IReadOnlyList<Contestant> Contestants(
        IReadOnlyList<PollingWay> ways, int[] rates, int timeoutsInHundred, Scale scale) =>
    [
        .. rates.SelectMany(rate => ways.Select(way =>
            new Contestant(
                At(rate, way),
                () => Run(way.Poll, rate, 1_000 / Math.Min(2, scale.Divisor), timeoutsInHundred))
            {
                Against = At(rate, ways[0]),
                Owned = rate == rates[^1] ? way.Owned : null,
            })),
    ];

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
        WaitForAll(loads, static load => load.AreUploadsOver);
        var uploaded = Usage.Now();
        WaitForAll(loads, static load => load.AreTimeoutsOver);
        var after = Usage.Now();
        var requests = (double)loads.Sum(static load => load._uploads.Length);
        var processor = (after.Processor - before.Processor).TotalNanoseconds / requests;
        return new Measurement
        {
            Compared = processor,
            CpuNanoseconds = processor,

            // The last upload ends this long after the last request has begun.
            PerSecond = requests / (before.WallUntil(uploaded).TotalSeconds - (UploadMilliseconds / 1e3)),
            Bytes = (after.Bytes - before.Bytes) / requests,
            Collections = after.Collections - before.Collections,
        };
    }

    private static string At(int rate, PollingWay way) => $"{way.Name}, {rate / 1_000}k/s";

    private static bool IsUploaded(int request, int timeoutsInHundred) => request % 100 >= timeoutsInHundred;

    private static void WaitForAll(List<PollingLoad> loads, Predicate<PollingLoad> isOver)
    {
        while (!loads.TrueForAll(isOver))
        {
            Thread.Sleep(1);
        }
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
        _ = EndAsync(poll(upload, s_timeout), IsUploaded(request, timeoutsInHundred));
    }

    private void Complete(int request)
    {
        if (IsUploaded(request, timeoutsInHundred))
        {
            _uploads[request]!.Complete();
        }

        _uploads[request] = null;
    }

    private async Task EndAsync(Task<bool> request, bool isUploaded)
    {
        await request.ConfigureAwait(false);
        if (isUploaded)
        {
            Interlocked.Increment(ref _uploaded);
        }
        else
        {
            Interlocked.Increment(ref _timedOut);
        }
    }
}
