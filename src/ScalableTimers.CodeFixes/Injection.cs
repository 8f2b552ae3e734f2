using Microsoft.CodeAnalysis.FindSymbols;
using Microsoft.CodeAnalysis.Formatting;

namespace ScalableTimers.CodeFixes;

/// <summary>Gives a grain's class an <c>IGrainDelay</c> through its constructor.</summary>
/// <remarks>
/// Not if source code calls the constructor, with <c>new</c> or from a derived class: those calls would not compile.
/// Not if there are several constructors, because only the author knows which one the container calls.
/// </remarks>
internal sealed class Injection(SolutionEdit edit, INamedTypeSymbol type, INamedTypeSymbol service)
{
    private TypeSyntax? _serviceType;

    /// <summary>Adds it, and returns the name of the field or parameter; null if that is not safe.</summary>
    internal async Task<string?> AddAsync()
    {
        var names = new UsedNames(type);
        if (type.InstanceConstructors.Length != 1
            || names.Parameter() is not { } parameter
            || names.Field() is not { } field
            || await FindDeclarationAsync(type.InstanceConstructors[0]).ConfigureAwait(false)
                is not ({ } document, { } declaration)
            || await IsCalledAsync(type.InstanceConstructors[0]).ConfigureAwait(false))
        {
            return null;
        }

        var editor = await edit.EditorAsync(document).ConfigureAwait(false);
        var model = await document.GetSemanticModelAsync(edit.CancellationToken).ConfigureAwait(false);
        _serviceType = Fragments.Type(editor.Generator, model!, declaration.SpanStart, service);
        switch (declaration)
        {
            case ConstructorDeclarationSyntax constructor
                when constructor.Body is not null || constructor.ExpressionBody is not null:
                editor.ReplaceNode(
                    constructor,
                    (current, _) => WithAssignment((ConstructorDeclarationSyntax)current, field, parameter));
                var declared = editor.Generator.FieldDeclaration(
                    field, _serviceType, Accessibility.Private, DeclarationModifiers.ReadOnly);
                editor.InsertMembers(constructor.Parent!, 0, [declared]);
                return field;
            case ClassDeclarationSyntax { ParameterList: { } parameters }:
                editor.ReplaceNode(parameters, (current, _) => WithParameter((ParameterListSyntax)current, parameter));
                return parameter;
            case ClassDeclarationSyntax @class:
                editor.ReplaceNode(@class, (current, _) => WithPrimaryConstructor(current, parameter));
                return parameter;
            default:
                return null;
        }
    }

    private async Task<(Document? Document, SyntaxNode? Declaration)> FindDeclarationAsync(IMethodSymbol constructor)
    {
        var references = constructor.IsImplicitlyDeclared
            ? type.DeclaringSyntaxReferences
            : constructor.DeclaringSyntaxReferences;
        foreach (var reference in references)
        {
            // A part of a class may be generated.
            if (edit.Solution.GetDocument(reference.SyntaxTree) is { } document and not SourceGeneratedDocument)
            {
                return (document, await reference.GetSyntaxAsync(edit.CancellationToken).ConfigureAwait(false));
            }
        }

        return default;
    }

    private async Task<bool> IsCalledAsync(IMethodSymbol constructor)
    {
        var derived = await SymbolFinder.FindDerivedClassesAsync(
            type, edit.Solution, cancellationToken: edit.CancellationToken).ConfigureAwait(false);
        var references = await SymbolFinder.FindReferencesAsync(
            constructor, edit.Solution, edit.CancellationToken).ConfigureAwait(false);
        return derived.Any() || references.Any(static reference => reference.Locations.Any());
    }

    private ConstructorDeclarationSyntax WithAssignment(
        ConstructorDeclarationSyntax constructor, string field, string parameter)
    {
        var target = field == parameter ? "this." + field : field;
        var assignment = SyntaxFactory.ExpressionStatement(
            SyntaxFactory.AssignmentExpression(
                SyntaxKind.SimpleAssignmentExpression,
                SyntaxFactory.ParseExpression(target),
                SyntaxFactory.IdentifierName(parameter)))
            .WithAdditionalAnnotations(Formatter.Annotation);
        var changed = constructor.WithParameterList(WithParameter(constructor.ParameterList, parameter));
        if (constructor.ExpressionBody is not { Expression: var expression })
        {
            return changed.WithBody(changed.Body!.WithStatements(changed.Body.Statements.Insert(0, assignment)));
        }

        var own = SyntaxFactory.ExpressionStatement(expression)
            .WithTrailingTrivia(constructor.SemicolonToken.TrailingTrivia);
        return changed.WithExpressionBody(null).WithSemicolonToken(default)
            .WithBody(SyntaxFactory.Block(assignment, own));
    }

    private ParameterListSyntax WithParameter(ParameterListSyntax list, string name)
    {
        var parameter = SyntaxFactory.Parameter(SyntaxFactory.Identifier(name))
            .WithType(_serviceType!);
        var place = list.Parameters.TakeWhile(static other =>
            other.Default is null && !other.Modifiers.Any(SyntaxKind.ParamsKeyword)).Count();
        return list.WithParameters(list.Parameters.Insert(place, parameter));
    }

    private ClassDeclarationSyntax WithPrimaryConstructor(SyntaxNode current, string parameter)
    {
        var @class = (ClassDeclarationSyntax)current;
        var list = WithParameter(SyntaxFactory.ParameterList(), parameter);
        if (@class.TypeParameterList is { } types)
        {
            return @class.WithTypeParameterList(types.WithoutTrailingTrivia())
                .WithParameterList(list.WithTrailingTrivia(types.GetTrailingTrivia()));
        }

        var name = @class.Identifier;
        return @class.WithIdentifier(name.WithTrailingTrivia())
            .WithParameterList(list.WithTrailingTrivia(name.TrailingTrivia));
    }
}
