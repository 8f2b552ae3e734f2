namespace Orleans.Timers.Scalable.Tests;

public interface ITimedObserver : IGrainObserver
{
    /// <summary>Answers when the gate is open.</summary>
    Task<int> Ask(Guid gate);
}
