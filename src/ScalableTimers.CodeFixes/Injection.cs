using Microsoft.CodeAnalysis.FindSymbols;
using Microsoft.CodeAnalysis.Formatting;

namespace ScalableTimers.CodeFixes;

/// <summary>Gives a grain's class an <c>IGrainDelay</c> by its constructor.</summary>
/// <remarks>
/// Not where source calls the constructor, by <c>new</c> or from a derived class: those calls would not compile. Not
/// where there are several constructors, because then only the author knows which of them the container calls.
/// </remarks>
internal sealed class Injection
{
    private const string Name = "delay";

    private readonly SolutionEdit _edit;
    private readonly INamedTypeSymbol _type;
    private readonly INamedTypeSymbol _service;
    private TypeSyntax? _serviceType;

    internal Injection(SolutionEdit edit, INamedTypeSymbol type, INamedTypeSymbol service)
    {
        _edit = edit;
        _type = type;
        _service = service;
    }

    /// <summary>Adds it, and returns the name of the field or parameter; null if that is not safe.</summary>
    internal async Task<string?> AddAsync()
    {
        if (_type.IsRecord || _type.InstanceConstructors.Length != 1)
        {
            return null;
        }

        var constructor = _type.InstanceConstructors[0];
        if (await FindDeclarationAsync(constructor).ConfigureAwait(false)
                is not ({ } document, { } declaration)
            || await IsCalledAsync(constructor).ConfigureAwait(false))
        {
            return null;
        }

        var names = new UsedNames(_type);
        var editor = await _edit.EditorAsync(document).ConfigureAwait(false);
        var model = await document.GetSemanticModelAsync(_edit.CancellationToken).ConfigureAwait(false);
        _serviceType = Fragments.Type(editor.Generator, model!, declaration.SpanStart, _service);
        switch (declaration)
        {
            case ConstructorDeclarationSyntax
            {
                Body: null, ExpressionBody: null or { Expression: ThrowExpressionSyntax }
            }:
                return null;
            case ConstructorDeclarationSyntax declared:
                return AddField(editor, declared, constructor, names);
            case ClassDeclarationSyntax { ParameterList: { } parameters }:
                {
                    var parameter = names.Parameter(Name);
                    editor.ReplaceNode(
                        parameters, (current, _) => WithParameter((ParameterListSyntax)current, parameter));
                    return parameter;
                }

            case ClassDeclarationSyntax @class when HasPrimaryConstructors(@class):
                {
                    var parameter = names.Parameter(Name);
                    editor.ReplaceNode(@class, (current, _) => WithPrimaryConstructor(current, parameter));
                    return parameter;
                }

            default:
                return null;
        }
    }

    private async Task<(Document? Document, SyntaxNode? Declaration)> FindDeclarationAsync(IMethodSymbol constructor)
    {
        var references = constructor.IsImplicitlyDeclared
            ? _type.DeclaringSyntaxReferences
            : constructor.DeclaringSyntaxReferences;
        var candidates = new List<(Document? Document, SyntaxNode Declaration)>();
        foreach (var reference in references)
        {
            var document = _edit.Solution.GetDocument(reference.SyntaxTree);
            var declaration = await reference.GetSyntaxAsync(_edit.CancellationToken).ConfigureAwait(false);
            if (document is not null and not SourceGeneratedDocument)
            {
                candidates.Add((document, declaration));
            }
        }

        // Of the parts of a class, the one that names its base is the one that a reader looks at first.
        return candidates
            .OrderByDescending(static part => part.Declaration is ClassDeclarationSyntax { BaseList: not null })
            .FirstOrDefault();
    }

    private async Task<bool> IsCalledAsync(IMethodSymbol constructor)
    {
        var derived = await SymbolFinder.FindDerivedClassesAsync(
            _type, _edit.Solution, cancellationToken: _edit.CancellationToken).ConfigureAwait(false);
        if (derived.Any())
        {
            return true;
        }

        var references = await SymbolFinder.FindReferencesAsync(
            constructor, _edit.Solution, _edit.CancellationToken).ConfigureAwait(false);
        return references.Any(static reference => reference.Locations.Any())
            || constructor.Parameters.IsEmpty && await IsMadeByConstraintAsync().ConfigureAwait(false);
    }

    // The constraint new() asks for a constructor without parameters.
    private async Task<bool> IsMadeByConstraintAsync()
    {
        var references = await SymbolFinder.FindReferencesAsync(
            _type, _edit.Solution, _edit.CancellationToken).ConfigureAwait(false);
        foreach (var location in references.SelectMany(static reference => reference.Locations))
        {
            var root = await location.Document.GetSyntaxRootAsync(_edit.CancellationToken).ConfigureAwait(false);
            var argument = root?.FindNode(location.Location.SourceSpan).AncestorsAndSelf().OfType<TypeSyntax>()
                .FirstOrDefault(static type => type.Parent is TypeArgumentListSyntax);
            if (argument?.Parent is not TypeArgumentListSyntax { Parent: GenericNameSyntax generic } list)
            {
                continue;
            }

            var model = await location.Document.GetSemanticModelAsync(_edit.CancellationToken).ConfigureAwait(false);
            var parameters = model.GetSymbolInfo(generic, _edit.CancellationToken).Symbol switch
            {
                IMethodSymbol method => method.TypeParameters,
                INamedTypeSymbol type => type.TypeParameters,
                _ => ImmutableArray<ITypeParameterSymbol>.Empty,
            };
            if (parameters.ElementAtOrDefault(list.Arguments.IndexOf(argument)) is { HasConstructorConstraint: true })
            {
                return true;
            }
        }

        return false;
    }

    private string AddField(
        SyntaxEditor editor, ConstructorDeclarationSyntax declared, IMethodSymbol constructor, UsedNames names)
    {
        var given = constructor.Parameters.FirstOrDefault(parameter => KnownTypes.Same(parameter.Type, _service));
        var parameter = given?.Name ?? names.Parameter(Name);
        var field = names.Field(Name);
        editor.ReplaceNode(declared, (current, _) =>
        {
            var changed = (ConstructorDeclarationSyntax)current;
            if (given is null)
            {
                changed = changed.WithParameterList(WithParameter(changed.ParameterList, parameter));
            }

            return WithStatement(changed, Assignment(field, parameter));
        });
        AddField(editor, (ClassDeclarationSyntax)declared.Parent!, field);
        return field;
    }

    private void AddField(SyntaxEditor editor, ClassDeclarationSyntax @class, string field) => editor.InsertMembers(
        @class,
        0,
        [
            editor.Generator.FieldDeclaration(
                field, _serviceType!, Accessibility.Private, DeclarationModifiers.ReadOnly),
        ]);

    private static ExpressionStatementSyntax Assignment(string field, string parameter)
    {
        var target = field == parameter ? "this." + field : field;
        return SyntaxFactory.ExpressionStatement(
            SyntaxFactory.AssignmentExpression(
                SyntaxKind.SimpleAssignmentExpression,
                SyntaxFactory.ParseExpression(target),
                SyntaxFactory.IdentifierName(parameter)))
            .WithAdditionalAnnotations(Formatter.Annotation);
    }

    private static ConstructorDeclarationSyntax WithStatement(
        ConstructorDeclarationSyntax constructor, StatementSyntax statement)
    {
        if (constructor.Body is { } body)
        {
            return constructor.WithBody(body.WithStatements(body.Statements.Insert(0, statement)));
        }

        var own = SyntaxFactory.ExpressionStatement(constructor.ExpressionBody!.Expression)
            .WithTrailingTrivia(constructor.SemicolonToken.TrailingTrivia);
        return constructor.WithExpressionBody(null).WithSemicolonToken(default)
            .WithBody(SyntaxFactory.Block(statement, own));
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

    private static bool HasPrimaryConstructors(ClassDeclarationSyntax @class) =>
        @class.SyntaxTree.Options is CSharpParseOptions { LanguageVersion: >= LanguageVersion.CSharp12 };
}
