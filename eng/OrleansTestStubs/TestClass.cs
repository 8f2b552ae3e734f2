using System.Collections.Generic;

namespace OrleansTestStubs;

/// <summary>A class of the test sources: what is needed to declare it again with nothing but its tests.</summary>
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

    /// <summary>Simple names of what it derives from or implements, as written.</summary>
    public List<string> BaseNames { get; } = new();

    /// <summary>The base, when that is a test class too: its tests are run once more in this one.</summary>
    public TestClass? Base { get; set; }

    public SortedDictionary<string, string?> DisplayNameByTest { get; } = new(System.StringComparer.Ordinal);

    public bool HasTests => DisplayNameByTest.Count > 0 || (Base?.HasTests ?? false);
}
