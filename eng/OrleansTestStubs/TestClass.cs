using System.Collections.Generic;

namespace OrleansTestStubs;

/// <summary>A class of the test sources, with all that is needed to declare it again with its tests only.</summary>
internal sealed class TestClass
{
    public TestClass(string @namespace, TestClass? container, string name)
    {
        Namespace = @namespace;
        Container = container;
        Name = name;
    }

    public string Namespace { get; }

    public TestClass? Container { get; }

    public string Name { get; }

    public bool IsAbstract { get; set; }

    /// <summary>The simple names of its base type and interfaces, as written.</summary>
    public List<string> BaseNames { get; } = new();

    /// <summary>The base type if it is a test class too. Its tests run again in this class.</summary>
    public TestClass? Base { get; set; }

    public SortedDictionary<string, string?> DisplayNameByTest { get; } = new(System.StringComparer.Ordinal);

    public bool HasTests => DisplayNameByTest.Count > 0 || (Base?.HasTests ?? false);
}
