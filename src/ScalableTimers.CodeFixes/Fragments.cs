using Microsoft.CodeAnalysis.Simplification;

namespace ScalableTimers.CodeFixes;

/// <summary>Makes pieces of syntax.</summary>
internal static class Fragments
{
    /// <summary>Names a type by its short name, and adds a <c>using</c> for it if there is none.</summary>
    internal static TypeSyntax Type(SyntaxGenerator generator, SemanticModel model, int position, ITypeSymbol type)
    {
        var name = (TypeSyntax)generator.TypeExpression(type);
        var isImported = model.LookupNamespacesAndTypes(position, name: type.Name)
            .Any(found => KnownTypes.Same(found, type));

        // Importing it again would leave an empty line.
        return isImported ? name : name.WithAdditionalAnnotations(Simplifier.AddImportsAnnotation);
    }

    internal static InvocationExpressionSyntax Call(string receiver, string method, ArgumentListSyntax arguments) =>
        SyntaxFactory.InvocationExpression(SyntaxFactory.ParseExpression($"{receiver}.{method}"), arguments);

    internal static InvocationExpressionSyntax AsTask(ExpressionSyntax receiver) =>
        SyntaxFactory.InvocationExpression(
            SyntaxFactory.MemberAccessExpression(
                SyntaxKind.SimpleMemberAccessExpression, receiver, SyntaxFactory.IdentifierName("AsTask")));

    /// <summary>Keeps the arguments, the first of which is the time, with their comments.</summary>
    internal static ArgumentListSyntax Arguments(
        SyntaxGenerator generator, ArgumentListSyntax current, IOperation dueTime)
    {
        var argument = current.Arguments[0];
        var changed = argument.WithNameColon(null).WithExpression(Time(generator, dueTime, argument.Expression));
        return current.WithArguments(current.Arguments.Replace(argument, changed));
    }

    /// <summary>Makes a <c>TimeSpan</c> from a value that may be a number of milliseconds.</summary>
    private static ExpressionSyntax Time(SyntaxGenerator generator, IOperation value, ExpressionSyntax current)
    {
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
}
