namespace ScalableTimers.Analyzers.Delays;

/// <summary>A <c>try</c> around one delay that only swallows the cancellation, or leaves where it is.</summary>
internal readonly struct SwallowedDelay
{
    private SwallowedDelay(IInvocationOperation delay, IOperation? service, IOperation? exit)
    {
        Delay = delay;
        Service = service;
        Exit = exit;
    }

    internal IInvocationOperation Delay { get; }

    /// <summary>The service whose delay it is already; null if it is one of .NET.</summary>
    internal IOperation? Service { get; }

    /// <summary>The statement that leaves, <c>break</c> for instance; null if the code goes on.</summary>
    internal IOperation? Exit { get; }

    internal static SwallowedDelay? Of(ITryOperation attempt, KnownTypes types)
    {
        if (attempt is not { Finally: null, Catches: [var handler] }
            || attempt.Body.Operations is not [IExpressionStatementOperation body]
            || !IsOfCancellation(handler, types)
            || body.Operation is not IAwaitOperation { Operation: var awaited }
            || WithoutConfigureAwait(awaited) is not IInvocationOperation delay
            || !TryGetService(delay, types, out var service)
            || TokenOf(delay) is not { } token
            || !IsUnfiltered(handler, token)
            // What is awaited before the delay may be cancelled as well, and that is swallowed too.
            || delay.Descendants().OfType<IAwaitOperation>().Any())
        {
            return null;
        }

        return handler.Handler.Operations switch
        {
            [] => new SwallowedDelay(delay, service, null),
            [IBranchOperation exit] => new SwallowedDelay(delay, service, exit),
            [IReturnOperation { Kind: OperationKind.Return } exit] => new SwallowedDelay(delay, service, exit),
            _ => null,
        };
    }

    /// <summary>Finds the token of a delay; null if it has none.</summary>
    internal static IOperation? TokenOf(IInvocationOperation delay) => delay.Arguments
        .FirstOrDefault(static argument => argument.Parameter?.Type.Name == "CancellationToken"
            && argument.ArgumentKind == ArgumentKind.Explicit)?.Value;

    private static bool TryGetService(IInvocationOperation delay, KnownTypes types, out IOperation? service)
    {
        var isOurs = delay.TargetMethod.Name == "Delay"
            && KnownTypes.Same(delay.TargetMethod.ContainingType, types.TimerService);
        service = isOurs ? delay.Instance : null;
        if (isOurs || Wait.Of(delay, types).Kind == WaitKind.Delay)
        {
            return true;
        }

        service = delay.TargetMethod.Name == "Delay" && KnownTypes.Same(delay.TargetMethod.ContainingType, types.Task)
            ? OurClock.ServiceOf(delay.Arguments, types)
            : null;
        return service is not null;
    }

    private static bool IsOfCancellation(ICatchClauseOperation handler, KnownTypes types) =>
        handler.Locals.IsEmpty
            && (KnownTypes.Same(handler.ExceptionType, types.OperationCanceledException)
                || KnownTypes.Same(handler.ExceptionType, types.TaskCanceledException));

    // Only the question whether the delay's own token was cancelled is the one that TryDelay answers.
    private static bool IsUnfiltered(ICatchClauseOperation handler, IOperation token) => handler.Filter is null
        || handler.Filter is IPropertyReferenceOperation
        {
            Property.Name: "IsCancellationRequested",
            Instance: { } asked
        }
            && asked.Syntax.IsEquivalentTo(token.Syntax, topLevel: false);

    private static IOperation WithoutConfigureAwait(IOperation awaited) =>
        awaited is IInvocationOperation
        {
            TargetMethod: { Name: "ConfigureAwait", Parameters: [{ Type.SpecialType: SpecialType.System_Boolean }] },
            Instance: { } instance
        }
            ? instance
            : awaited;
}
