namespace Orleans.Timers.Scalable.Tests;

public interface IDeadlineObserver : IGrainObserver
{
    Task Tell(string news);
}
