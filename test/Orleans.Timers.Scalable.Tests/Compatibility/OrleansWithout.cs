using System.Reflection;
using System.Runtime.Loader;
using System.Text;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Orleans, the plugin and these tests once more in this process, with types of Orleans that cannot be found by their
/// names.
/// </summary>
/// <remarks>
/// The first letter of each name is another one in Orleans' assemblies, everywhere, so Orleans itself works as before.
/// The plugin, which has been compiled against the true names, finds what it would find in a version without the types.
/// </remarks>
internal sealed class OrleansWithout : AssemblyLoadContext
{
    private const string Plugin = "Orleans.Timers.Scalable";

    private readonly string[] _types;

    internal OrleansWithout(params string[] types)
        : base("Orleans without " + string.Join(", ", types)) => _types = types;

    /// <summary>Runs a static method of a type of the tests, as it is in here.</summary>
    internal Task<T> Run<T>(Func<Task<T>> method)
    {
        var here = LoadFromAssemblyName(method.Method.DeclaringType!.Assembly.GetName())
            .GetType(method.Method.DeclaringType.FullName!, throwOnError: true)!
            .GetMethod(method.Method.Name, BindingFlags.Static | BindingFlags.NonPublic)!;
        Assert.NotSame(method.Method, here);
        return (Task<T>)here.Invoke(null, null)!;
    }

    protected override Assembly? Load(AssemblyName assemblyName)
    {
        var name = assemblyName.Name!;
        var isPlugin = name.StartsWith(Plugin, StringComparison.Ordinal);
        if (!isPlugin && !name.StartsWith("Orleans.", StringComparison.Ordinal))
        {
            return null;
        }

        var file = Path.Combine(AppContext.BaseDirectory, name + ".dll");
        return !File.Exists(file) ? null
            : isPlugin ? LoadFromAssemblyPath(file)
            : LoadFromStream(new MemoryStream(Rename(File.ReadAllBytes(file))));
    }

    private byte[] Rename(byte[] assembly)
    {
        foreach (var type in _types)
        {
            // Names end with a zero. One may be the end of a longer one, which is then another name too.
            var name = Encoding.UTF8.GetBytes(type + "\0");
            for (var at = 0; (at = Next(assembly, name, at)) >= 0; at++)
            {
                assembly[at] = (byte)'_';
            }
        }

        return assembly;
    }

    private static int Next(byte[] bytes, byte[] sought, int from)
    {
        var at = bytes.AsSpan(from).IndexOf(sought);
        return at < 0 ? at : from + at;
    }
}
