using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace OrleansTestStubs;

/// <summary>Finds test classes by syntax alone, because the types that they refer to are missing.</summary>
internal sealed class TestClassReader
{
    private readonly Dictionary<string, TestClass> _classes = new(StringComparer.Ordinal);

    public IReadOnlyList<TestClass> ClassesWithTests()
    {
        foreach (var @class in _classes.Values)
        {
            @class.Base = FindBase(@class);
        }

        return _classes.Values
            .Where(c => c.HasTests)
            .OrderBy(c => c.Namespace, StringComparer.Ordinal)
            .ThenBy(c => c.Name, StringComparer.Ordinal)
            .ToList();
    }

    public void Read(CompilationUnitSyntax file) => ReadMembers(file.Members, @namespace: "", container: null);

    private void ReadMembers(IEnumerable<MemberDeclarationSyntax> members, string @namespace, TestClass? container)
    {
        foreach (var member in members)
        {
            switch (member)
            {
                case BaseNamespaceDeclarationSyntax inner:
                    var name = inner.Name.ToString();
                    ReadMembers(
                        inner.Members, @namespace.Length == 0 ? name : @namespace + "." + name, container: null);
                    break;
                case TypeDeclarationSyntax type and (
                    ClassDeclarationSyntax or RecordDeclarationSyntax or StructDeclarationSyntax):
                    ReadClass(type, @namespace, container);
                    break;
                case MethodDeclarationSyntax method when container is not null
                    && FindTestAttribute(method) is { } attribute:
                    AddTest(container, method.Identifier.Text, DisplayName(attribute));
                    break;
            }
        }
    }

    private void ReadClass(TypeDeclarationSyntax type, string @namespace, TestClass? container)
    {
        var name = type.Identifier.Text;
        var key = Key(@namespace, container) + "/" + name;
        if (!_classes.TryGetValue(key, out var @class)) // found already: another part of a partial class
        {
            @class = new TestClass(@namespace, container, name);
            _classes.Add(key, @class);
        }

        @class.IsAbstract |= type.Modifiers.Any(SyntaxKind.AbstractKeyword);
        @class.BaseNames.AddRange(type.BaseList?.Types.Select(t => SimpleName(t.Type)) ?? Enumerable.Empty<string>());
        ReadMembers(type.Members, @namespace, @class);
    }

    private static string Key(string @namespace, TestClass? container) =>
        container is null ? @namespace : Key(@namespace, container.Container) + "/" + container.Name;

    // Overloads have the same name for a reader, but are two tests.
    private static void AddTest(TestClass @class, string name, string? displayName)
    {
        var unique = name;
        for (var i = 2; @class.DisplayNameByTest.ContainsKey(unique); i++)
        {
            unique = name + "_" + i;
        }

        @class.DisplayNameByTest.Add(unique, displayName);
    }

    // [Fact], [Theory], and attributes derived from them, whose names end the same way by convention.
    private static AttributeSyntax? FindTestAttribute(MethodDeclarationSyntax method) =>
        method.AttributeLists.SelectMany(list => list.Attributes).FirstOrDefault(attribute =>
        {
            var name = SimpleName(attribute.Name);
            name = name.EndsWith("Attribute", StringComparison.Ordinal)
                ? name.Substring(0, name.Length - "Attribute".Length)
                : name;
            return name.EndsWith("Fact", StringComparison.Ordinal) || name.EndsWith("Theory", StringComparison.Ordinal);
        });

    private static string? DisplayName(AttributeSyntax attribute) =>
        attribute.ArgumentList?.Arguments
            .Where(argument => argument.NameEquals?.Name.Identifier.Text == "DisplayName")
            .Select(argument => argument.Expression)
            .OfType<LiteralExpressionSyntax>()
            .Select(literal => literal.Token.Text)
            .FirstOrDefault();

    private static string SimpleName(TypeSyntax type) => type switch
    {
        QualifiedNameSyntax qualified => qualified.Right.Identifier.Text,
        AliasQualifiedNameSyntax alias => alias.Name.Identifier.Text,
        SimpleNameSyntax simple => simple.Identifier.Text,
        _ => "",
    };

    private TestClass? FindBase(TestClass @class) =>
        _classes.Values
            .Where(candidate => candidate != @class && @class.BaseNames.Contains(candidate.Name))
            .OrderByDescending(candidate => candidate.Namespace == @class.Namespace)
            .FirstOrDefault();
}
