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

    internal static InvocationExpressionSyntax Call(
        string receiver, string method, params ExpressionSyntax[] arguments) =>
        SyntaxFactory.InvocationExpression(
            SyntaxFactory.ParseExpression($"{receiver}.{method}"),
            SyntaxFactory.ArgumentList(
                SyntaxFactory.SeparatedList(arguments.Select(static argument => SyntaxFactory.Argument(argument)))));

    internal static InvocationExpressionSyntax Call(ExpressionSyntax receiver, string method) =>
        SyntaxFactory.InvocationExpression(
            SyntaxFactory.MemberAccessExpression(
                SyntaxKind.SimpleMemberAccessExpression, receiver, SyntaxFactory.IdentifierName(method)));

    /// <summary>Makes a <c>TimeSpan</c> of a value that may be a number of milliseconds.</summary>
    internal static ExpressionSyntax Time(SyntaxGenerator generator, IOperation value)
    {
        while (value is IConversionOperation { IsImplicit: true } conversion)
        {
            value = conversion.Operand;
        }

        var expression = ((ExpressionSyntax)value.Syntax).WithoutTrivia();
        if (value.Type?.Name == "TimeSpan")
        {
            return expression;
        }

        return value.ConstantValue is { HasValue: true, Value: -1 }
            ? (ExpressionSyntax)generator.MemberAccessExpression(
                TypeFor("System.Threading.Timeout"), "InfiniteTimeSpan")
            : (ExpressionSyntax)generator.InvocationExpression(
                generator.MemberAccessExpression(TypeFor("System.TimeSpan"), "FromMilliseconds"), expression);

        TypeSyntax TypeFor(string name)
        {
            var model = value.SemanticModel!;
            return Type(generator, model, value.Syntax.SpanStart, model.Compilation.GetTypeByMetadataName(name)!);
        }
    }
}
