using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The overloads of <see cref="CallTimeoutExtensions"/>.</summary>
public enum CallForm
{
    Task,
    TaskOfT,
    Function,
    FunctionOfT,
}

internal static class CallForms
{
    internal static bool HasResult(this CallForm form) =>
        form is CallForm.TaskOfT or CallForm.FunctionOfT;

    /// <summary>Bounds a call by one of the overloads, without a token of the caller.</summary>
    internal static async Task<int> Bound(this CallForm form, TimerService timers, Task<int> call, TimeSpan timeout)
    {
        switch (form)
        {
            case CallForm.Task:
                await timers.WithTimeout((Task)call, timeout).ConfigureAwait(false);
                return 0;
            case CallForm.TaskOfT:
                return await timers.WithTimeout(call, timeout).ConfigureAwait(false);
            case CallForm.Function:
                await timers.WithTimeout(_ => (Task)call, timeout, CancellationToken.None).ConfigureAwait(false);
                return 0;
            default:
                return await timers.WithTimeout(_ => call, timeout, CancellationToken.None).ConfigureAwait(false);
        }
    }
}
