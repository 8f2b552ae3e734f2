using System.Runtime.CompilerServices;

namespace Orleans.Timers.Scalable.Transactions.Waits;

/// <summary>The token of one worker of a transactional state, with which only this worker delays.</summary>
internal sealed class WorkerToken : CancellationTokenSource
{
    /// <summary>Returns a token that is cancelled with the one that the worker had. It goes with the worker.</summary>
    internal static CancellationToken LinkedTo(CancellationToken token)
    {
        var own = new WorkerToken();
        token.UnsafeRegister(static own => ((WorkerToken)own!).Cancel(), own);
        return own.Token;
    }

    internal static bool Is(CancellationToken token) => Source(ref token) is WorkerToken;

    // A set of all such tokens would have to learn when workers go.
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_source")]
    private static extern ref CancellationTokenSource? Source(ref CancellationToken token);
}
