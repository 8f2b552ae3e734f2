using Microsoft.CodeAnalysis.Simplification;

namespace ScalableTimers.CodeFixes;

/// <summary>Pieces of syntax.</summary>
internal static class Fragments
{
    /// <summary>Names a type by its short name, with a <c>using</c> for it if the place has none.</summary>
    internal static TypeSyntax Type(SyntaxGenerator generator, SemanticModel model, int position, ITypeSymbol type)
    {
        var name = (TypeSyntax)generator.TypeExpression(type);
        var isImported = model.LookupNamespacesAndTypes(position, name: type.Name)
            .Any(found => KnownTypes.Same(found, type));

        // To import what is imported leaves an empty line behind.
        return isImported ? name : name.WithAdditionalAnnotations(Simplifier.AddImportsAnnotation);
    }

    internal static InvocationExpressionSyntax Call(string receiver, string method, ArgumentListSyntax arguments) =>
        SyntaxFactory.InvocationExpression(SyntaxFactory.ParseExpression($"{receiver}.{method}"), arguments);

    internal static InvocationExpressionSyntax AsTask(ExpressionSyntax receiver) =>
        SyntaxFactory.InvocationExpression(
            SyntaxFactory.MemberAccessExpression(
                SyntaxKind.SimpleMemberAccessExpression, receiver, SyntaxFactory.IdentifierName("AsTask")));

    /// <summary>
    /// Takes over the time, as a <c>TimeSpan</c>, and the token if there is one, with their comments.
    /// </summary>
    /// <param name="generator">Makes the names of types.</param>
    /// <param name="current">The arguments to take from, in which other fixes may have changed something.</param>
    /// <param name="wait">What they were before all fixes.</param>
    internal static ArgumentListSyntax Arguments(SyntaxGenerator generator, ArgumentListSyntax current, Wait wait)
    {
        var timeArgument = ArgumentOf(current, wait.DueTime)!;
        var newTime = timeArgument.WithNameColon(null)
            .WithExpression(Time(generator, wait.DueTime, timeArgument.Expression));
        var tokenArgument = wait.Token is { IsImplicit: false } token ? ArgumentOf(current, token) : null;
        if (current.Arguments.All(static argument => argument.NameColon is null))
        {
            return current.WithArguments(current.Arguments.Replace(timeArgument, newTime));
        }

        var arguments = tokenArgument is null
            ? new[] { newTime.WithoutTrivia() }
            : [newTime.WithoutTrivia(), tokenArgument.WithNameColon(null).WithoutTrivia()];
        return current.WithArguments(SyntaxFactory.SeparatedList(arguments));
    }

    /// <summary>Makes a <c>TimeSpan</c> of a value that may be a number of milliseconds.</summary>
    private static ExpressionSyntax Time(SyntaxGenerator generator, IOperation value, ExpressionSyntax current)
    {
        while (value is IConversionOperation { IsImplicit: true, OperatorMethod: null } conversion)
        {
            value = conversion.Operand;
        }

        if (value.Type?.Name == "TimeSpan")
        {
            return current;
        }

        var time = value.ConstantValue is { HasValue: true, Value: -1 }
            ? generator.MemberAccessExpression(TypeFor("System.Threading.Timeout"), "InfiniteTimeSpan")
            : generator.InvocationExpression(
                generator.MemberAccessExpression(TypeFor("System.TimeSpan"), "FromMilliseconds"),
                current.WithoutTrivia());
        return (ExpressionSyntax)time.WithTriviaFrom(current);

        TypeSyntax TypeFor(string name)
        {
            var model = value.SemanticModel!;
            return Type(generator, model, value.Syntax.SpanStart, model.Compilation.GetTypeByMetadataName(name)!);
        }
    }

    // The place of an argument stays, whatever else changes in it.
    private static ArgumentSyntax? ArgumentOf(ArgumentListSyntax current, IOperation value)
    {
        var original = value.Syntax.FirstAncestorOrSelf<ArgumentSyntax>();
        return original?.Parent is ArgumentListSyntax list ? current.Arguments[list.Arguments.IndexOf(original)] : null;
    }
}
