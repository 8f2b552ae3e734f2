using System.Collections.Concurrent;
using System.Reflection;
using Orleans.CodeGeneration;
using Orleans.Serialization.Invocation;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>Tells which calls deadlines apply to: those that application code makes to grains and awaits.</summary>
/// <remarks>
/// Other calls carry no deadline and are never refused or given up, because that would do harm. A one-way call has no
/// waiting caller. An observer that cannot be notified counts as dead, whether it is a client's object or a grain.
/// Orleans itself relies on system targets and grain extensions: a transaction whose abort is refused leaves its locks
/// behind, and a cancellation that is not sent cancels nothing. Loops that serve many requests call Orleans' own grains
/// (memory storage, stream subscriptions, …) in the context of the request that happened to start the loop.
/// </remarks>
internal static class ApplicationCalls
{
    private const string Product = "Microsoft Orleans";

    private static readonly ConcurrentDictionary<Type, bool> s_interfaces = new();

    internal static bool Include(IInvokable request, GrainId target) =>
        s_interfaces.GetOrAdd(request.GetInterfaceType(), IsOfAnApplication)
        && !(request is IRequest { Options: var options } && (options & InvokeMethodOptions.OneWay) != 0)
        && !target.IsClient()
        && !target.IsSystemTarget();

    private static bool IsOfAnApplication(Type type) =>
        !typeof(IGrainExtension).IsAssignableFrom(type)
        && !typeof(IGrainObserver).IsAssignableFrom(type)
        && type.Assembly.GetCustomAttribute<AssemblyProductAttribute>()?.Product != Product;
}
