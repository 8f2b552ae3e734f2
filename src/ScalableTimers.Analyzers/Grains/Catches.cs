using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace ScalableTimers.Analyzers.Grains;

/// <summary>Tells what <c>catch</c> clauses do with the exception of a cancelled wait.</summary>
internal static class Catches
{
    /// <summary>
    /// Finds the statement after which the code goes on: the <c>try</c>, or what a <c>break</c> leaves. Null if the
    /// exception, or a <c>return</c>, leaves the code around it too.
    /// </summary>
    internal static IOperation? After(ITryOperation @try)
    {
        foreach (var clause in @try.Catches.Where(MayCatch))
        {
            var handler = @try.SemanticModel!.AnalyzeControlFlow((StatementSyntax)clause.Handler.Syntax)!;
            if (handler.EndPointIsReachable || handler.ExitPoints.Any(static exit =>
                exit is not (ReturnStatementSyntax or BreakStatementSyntax)))
            {
                return @try;
            }

            // A filter that knows only the author's own tokens lets the exception through to the next clause.
            if (clause.Filter is null)
            {
                return handler.ExitPoints.Any(static exit => exit is BreakStatementSyntax) ? Broken(@try) : null;
            }
        }

        return null;
    }

    private static bool MayCatch(ICatchClauseOperation clause) =>
        IsCancellation(clause.ExceptionType) && (clause.Filter is not { } filter || !Excludes(filter));

    private static bool IsCancellation(ITypeSymbol type) => type.Name is "Object" or "Exception" or "SystemException"
        or "OperationCanceledException" or "TaskCanceledException";

    /// <summary>Whether a filter says that it <c>is not OperationCanceledException</c>.</summary>
    private static bool Excludes(IOperation filter) => filter switch
    {
        IBinaryOperation { OperatorKind: BinaryOperatorKind.ConditionalAnd } both =>
            Excludes(both.LeftOperand) || Excludes(both.RightOperand),
        IIsPatternOperation { Pattern: INegatedPatternOperation { Pattern: ITypePatternOperation pattern } } =>
            pattern.MatchedType.Name == "OperationCanceledException",
        _ => false,
    };

    private static IOperation Broken(IOperation operation)
    {
        while (operation is not (ILoopOperation or ISwitchOperation) && operation.Parent is not null)
        {
            operation = operation.Parent;
        }

        return operation;
    }
}
