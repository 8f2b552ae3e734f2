using System.Reflection;
using System.Runtime.Loader;
using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A second copy of the library in this process, with its own statics and the same Orleans.</summary>
internal sealed class SecondCopy
{
    private readonly object _instance;
    private readonly Type _type;

    internal SecondCopy()
    {
        _type = new AssemblyLoadContext("a second copy")
            .LoadFromAssemblyPath(typeof(StaticTimerUsers).Assembly.Location)
            .GetType(typeof(StaticTimerUsers).FullName!, throwOnError: true)!;
        Assert.NotSame(typeof(StaticTimerUsers), _type);
        _instance = _type
            .GetProperty(nameof(StaticTimerUsers.Instance), BindingFlags.NonPublic | BindingFlags.Static)!
            .GetValue(null)!;
    }

    internal void Join(object user, ILogger logger) => Call(nameof(StaticTimerUsers.Join), user, logger);

    internal Task Leave(object user) => (Task)Call(nameof(StaticTimerUsers.Leave), user)!;

    private object? Call(string name, params object[] arguments) =>
        _type.GetMethod(name, BindingFlags.NonPublic | BindingFlags.Instance)!.Invoke(_instance, arguments);
}
