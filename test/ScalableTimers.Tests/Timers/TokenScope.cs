using ScalableTimers.Timers;

namespace ScalableTimers.Tests.Timers;

/// <summary>A scope that is a token, and a call at the end of a delay.</summary>
internal sealed class TokenScope(CancellationToken token, Action? ended = null) : DelayScope
{
    internal override CancellationToken Token => token;

    internal override void OnBegun()
    {
    }

    internal override void OnEnded() => ended?.Invoke();

    internal override string? Reason() => null;
}
