using System.Collections.Concurrent;
using System.Reflection;
using Orleans.CodeGeneration;
using Orleans.Serialization.Invocation;

namespace Orleans.Timers.Scalable;

/// <summary>
/// Which calls deadlines and timeouts of scopes are for: calls of grains by application code that waits for the answer.
/// </summary>
/// <remarks>
/// <para>
/// The others neither carry a deadline nor are refused or given up, because that would do harm that nobody asked for:
/// </para>
/// <para>
/// Nobody waits for a one-way call. An observer that cannot be told is taken for dead, be it a client's object or a grain. System targets and grain extensions are how Orleans
/// works: a transaction that may not abort leaves its locks behind, a cancellation that may not be sent cancels nothing. The
/// grains of Orleans itself (memory storage, stream subscriptions, …) are called by loops that serve many requests, in the
/// context of the one that happened to start them.
/// </para>
/// </remarks>
internal static class BoundCalls
{
    private const string Product = "Microsoft Orleans";

    private static readonly ConcurrentDictionary<Type, bool> s_interfaces = new();

    internal static bool Include(IInvokable request, GrainId target) =>
        IsOfAnApplication(request.GetInterfaceType())
        && !(request is IRequest { Options: var options } && (options & InvokeMethodOptions.OneWay) != 0)
        && !target.IsClient()
        && !target.IsSystemTarget();

    private static bool IsOfAnApplication(Type type) => s_interfaces.TryGetValue(type, out var isBound) ? isBound : s_interfaces.GetOrAdd(type, Classify);

    private static bool Classify(Type type) =>
        !typeof(IGrainExtension).IsAssignableFrom(type)
        && !typeof(IGrainObserver).IsAssignableFrom(type)
        && type.Assembly.GetCustomAttribute<AssemblyProductAttribute>()?.Product != Product;
}
