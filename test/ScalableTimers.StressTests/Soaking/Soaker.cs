using System.Diagnostics;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>
/// Uses everything at random: on threads that end, on the pool, in callbacks, and after delays of each service.
/// </summary>
/// <remarks>It runs on one thread at a time, so its state needs no lock.</remarks>
internal sealed class Soaker
{
    private const int OperationsPerSprint = 250;

    private readonly SoakRun _run;
    private readonly Random _random;
    private readonly SoakOperations _operations;
    private readonly double _operationsPerUnit;
    private readonly long _startedAt = Stopwatch.GetTimestamp();
    private long _done;

    public Soaker(SoakRun run, int index, int operationsPerSecond)
    {
        _run = run;
        _random = Stress.NewRandom(index);
        _operations = new SoakOperations(run, _random);
        _operationsPerUnit = (double)operationsPerSecond / Stopwatch.Frequency;
    }

    internal SoakOperations Operations => _operations;

    internal async Task RunAsync()
    {
        while (!_run.IsOver)
        {
            var subject = _run.Subjects[_random.Next(_run.Subjects.Length)];
            switch (_random.Next(4))
            {
                case 0:
                    await OnNewThreadAsync(_random.Next(20, 300)).ConfigureAwait(false);
                    break;
                case 1:
                    await Task.Run(Sprint).ConfigureAwait(false);
                    await Task.Delay(Pause()).ConfigureAwait(false);
                    break;
                case 2:
                    _ = await subject.Service.TryDelay(TimeSpan.FromMilliseconds(Pause())).ConfigureAwait(false);
                    Sprint();
                    break;
                default:
                    await InCallbackAsync(subject).ConfigureAwait(false);
                    break;
            }
        }
    }

    private Task OnNewThreadAsync(int milliseconds)
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var thread = new Thread(() => Complete(ended, () =>
        {
            for (
                var end = StressTime.In(TimeSpan.FromMilliseconds(milliseconds)); !StressTime.IsOver(end)
                    && !_run.IsOver;)
            {
                Sprint();
                Thread.Sleep(Pause());
            }
        }))
        { IsBackground = true, Name = "soaker" };
        thread.Start();
        return ended.Task;
    }

    private Task InCallbackAsync(SoakSubject subject)
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _ = subject.Service.Schedule(_ => Complete(ended, Sprint), null, TimeSpan.FromMilliseconds(Pause()));
        return ended.Task;
    }

    private static void Complete(TaskCompletionSource ended, Action body)
    {
        try
        {
            body();
            ended.SetResult();
        }
        catch (Exception exception)
        {
            ended.SetException(exception);
        }
    }

    private void Sprint()
    {
        for (var i = 0; i < OperationsPerSprint; i++)
        {
            _operations.Next();
        }

        _done += OperationsPerSprint;
    }

    /// <summary>How many milliseconds it is ahead of its pace. It is at least one, so that others can run.</summary>
    private int Pause()
    {
        var ahead = _done - ((Stopwatch.GetTimestamp() - _startedAt) * _operationsPerUnit);
        return (int)Math.Clamp(StressTime.ToMilliseconds((long)(ahead / _operationsPerUnit)), 1, 20);
    }
}
