namespace ScalableTimers.CodeFixes;

/// <summary>Replaces .NET's delays and periods: in a grain by its own, elsewhere by a service's.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(DelayFix)), Shared]
public sealed class DelayFix : RuleFix
{
    /// <summary>Creates the fix.</summary>
    public DelayFix()
        : base(
            "Wait by scalable timers",
            Rules.DelayInGrain.Id,
            Rules.PeriodicTimerInGrain.Id,
            Rules.DelayInTransaction.Id)
    {
    }

    private protected override async Task<bool> TryFixAsync(SolutionEdit edit, Finding finding)
    {
        var wait = Wait.Of(finding.Operation, finding.Types);
        if (wait is { Kind: WaitKind.PeriodicTimer, DueTime: { } period })
        {
            return await PeriodicTimerReplacement.TryAsync(edit, finding, period).ConfigureAwait(false);
        }

        if (wait is not { Kind: WaitKind.Delay or WaitKind.Sleep, DueTime: { } dueTime }
            || finding.Node is not InvocationExpressionSyntax invocation
            || wait.Kind == WaitKind.Sleep && !Awaiting.IsPossibleAt(invocation, finding.Operation))
        {
            return false;
        }

        var isInGrain = finding.Types.HasGrainDelay && Place.IsInGrain(finding.Member, finding.Types);
        var service = isInGrain ? finding.Types.GrainDelay : finding.Types.TimerService;
        if (await edit.ReachAsync(finding, service, isInGrain ? "delay" : "timers").ConfigureAwait(false)
            is not { } receiver)
        {
            return false;
        }

        var method = isInGrain && Place.IsDeactivation(finding.Member, finding.Types)
            ? "DelayIgnoringDeactivation"
            : "Delay";
        var editor = await edit.EditorAsync(finding.Document).ConfigureAwait(false);
        var isSleep = wait.Kind == WaitKind.Sleep;
        var isAwaitedAsTask = isSleep || Awaiting.IsAwaitedAsTask(invocation, finding.Model);

        // In the arguments may be another finding, which is fixed together with this one.
        editor.ReplaceNode(invocation, (current, generator) =>
        {
            var arguments = ((InvocationExpressionSyntax)current).ArgumentList;
            ExpressionSyntax call = Fragments.Call(
                receiver, method, Fragments.Arguments(generator, arguments, dueTime, wait.Token));
            call = isSleep ? SyntaxFactory.AwaitExpression(call)
                : isAwaitedAsTask ? call
                : Fragments.Call(call, "AsTask");
            return call.WithTriviaFrom(current);
        });
        return true;
    }
}
