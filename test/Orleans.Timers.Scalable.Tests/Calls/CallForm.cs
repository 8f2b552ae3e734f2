namespace Orleans.Timers.Scalable.Tests;

/// <summary>The overloads of <see cref="CallTimeoutExtensions"/>.</summary>
public enum CallForm
{
    Task,
    TaskOfT,
    ValueTask,
    ValueTaskOfT,
    Function,
    FunctionOfT,
}
