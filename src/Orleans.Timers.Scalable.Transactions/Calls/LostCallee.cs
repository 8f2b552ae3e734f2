using System.Globalization;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Transactions.Calls;

/// <summary>
/// A state of a callee that must hear of its transaction's abort, although the lost answer has not named it.
/// </summary>
/// <remarks>
/// Only the root of a transaction knows that it has aborted, and tells its participants. So the caller becomes one for
/// its callee: under a name that says which, and without a role, so that a commit ignores it. If the callee were told
/// earlier, the transaction might still commit, without what the callee did before the lost call.
/// </remarks>
internal sealed record LostCallee(GrainId Callee, string State)
{
    private const string Prefix = "Orleans.Timers.Scalable lost callee ";

    /// <summary>Enough for a silo to handle all messages that it has received during a pause.</summary>
    private static readonly TimeSpan s_backlog = TimeSpan.FromSeconds(1);

    /// <summary>Reads the callee from a request that tells its caller of an abort; null from any other.</summary>
    internal static LostCallee? Read(IInvokable request)
    {
        if (request.GetInterfaceType() != typeof(ITransactionalResourceExtension)
            || request.GetMethodName() != nameof(ITransactionalResourceExtension.Abort)
            || request.GetArgument(0) is not string name
            || !name.StartsWith(Prefix, StringComparison.Ordinal))
        {
            return null;
        }

        var state = name.IndexOf(' ', Prefix.Length) + 1;
        var callee = state + int.Parse(name.AsSpan(Prefix.Length, state - Prefix.Length), CultureInfo.InvariantCulture);
        return new(GrainId.Parse(name[callee..], CultureInfo.InvariantCulture), name[state..callee]);
    }

    /// <summary>Adds it to a transaction. Call it on the scheduler of the caller, which uses the transaction.</summary>
    internal void AddTo(TransactionInfo transaction, IGrainContext caller)
    {
        var name = string.Create(CultureInfo.InvariantCulture, $"{Prefix}{State.Length} {State}{Callee}");
        transaction.Participants[new ParticipantId(name, caller.GrainReference, default)] = default;
    }

    /// <remarks>
    /// A silo handles the last of many messages first, so an abort that it answers may have overtaken the request. One
    /// more comes after the backlog. If that is lost, the locks expire.
    /// </remarks>
    internal async Task Abort(Guid transaction, IGrainFactory grains, TimerService timers)
    {
        var callee = grains.GetGrain(Callee).AsReference<ITransactionalResourceExtension>();
        Task abort;
        var attempts = 10;
        do
        {
            abort = callee.Abort(State, transaction, CancellationToken.None);
            await abort.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        while (abort.Exception?.InnerException is TimeoutException && --attempts > 0);

        await timers.Delay(s_backlog).ConfigureAwait(false);
        await callee.Abort(State, transaction, CancellationToken.None).ConfigureAwait(false);
    }
}
