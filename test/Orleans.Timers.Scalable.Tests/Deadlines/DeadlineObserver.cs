using System.Threading.Channels;

namespace Orleans.Timers.Scalable.Tests;

public interface IDeadlineObserver : IGrainObserver
{
    Task Tell(string news);
}

/// <summary>Notes what it is told, and under which deadline.</summary>
internal sealed class DeadlineObserver : IDeadlineObserver
{
    private readonly Channel<TimeSpan?> _told = Channel.CreateUnbounded<TimeSpan?>();

    public Task Tell(string news)
    {
        _told.Writer.TryWrite(CallDeadline.Remaining);
        return Task.CompletedTask;
    }

    internal Task<TimeSpan?> Next() => _told.Reader.ReadAsync().AsTask().Guarded("an observer is told");
}
