namespace ScalableTimers;

/// <summary>Hides <see cref="System.Threading.ManualResetEvent"/>. The core uses one that is set.</summary>
internal sealed class ManualResetEvent(bool initialState)
{
    internal bool IsSet => initialState;
}
