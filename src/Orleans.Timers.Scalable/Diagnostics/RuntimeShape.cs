using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;
using Orleans.Configuration;
using Orleans.Serialization.Invocation;

namespace Orleans.Timers.Scalable;

/// <summary>
/// Reads what Orleans keeps of outstanding calls and of the requests of activations, and sends control commands to
/// silos, if Orleans' internals are as expected.
/// </summary>
/// <remarks>
/// It is used only when a call has timed out or a request was long, and writes nothing. An activation is read under its
/// own lock, as Orleans does when it analyses workloads, and no further than <see cref="MostRequests"/>.
/// </remarks>
internal sealed class RuntimeShape
{
    /// <summary>How many requests or calls are looked at to find one.</summary>
    internal const int MostRequests = 10_000;

    /// <summary>How many asynchronous methods may await one another between a task and its call.</summary>
    private const int MostAwaits = 4;

    private const BindingFlags Instance = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    private const string SendCommandName = "SendControlCommandToProvider";

    private static readonly GrainType s_siloControl = GrainType.Create("sys.svc.silo-control");
    private static readonly Lazy<RuntimeShape?> s_instance = new(Find);

    private readonly Type _activation;
    private readonly Type _directory;
    private readonly MethodInfo _findTarget;
    private readonly FieldInfo _running;
    private readonly FieldInfo _waiting;
    private readonly FieldInfo _blocking;
    private readonly PropertyInfo _state;
    private readonly PropertyInfo _elapsed;
    private readonly PropertyInfo[] _message;
    private readonly Type _callType;
    private readonly FieldInfo _callMessage;
    private readonly PropertyInfo _callbackMessage;
    private readonly Type _runtimeClient;
    private readonly MethodInfo _getSiloControl;
    private readonly MethodInfo _sendCommand;

    private RuntimeShape()
    {
        var (core, runtime) = (typeof(MessagingOptions).Assembly, typeof(Silo).Assembly);
        var message = Type(core, "Orleans.Runtime.Message");
        _activation = Type(runtime, "Orleans.Runtime.ActivationData");
        _directory = Type(runtime, "Orleans.Runtime.ActivationDirectory");
        _findTarget = _directory.GetMethod("FindTarget", Instance, [typeof(GrainId)]) ?? throw Missing("FindTarget");
        _running = Field(_activation, "_runningRequests", typeof(IDictionary));
        _waiting = Field(_activation, "_waitingRequests", typeof(IList));
        _blocking = Field(_activation, "_blockingRequest", message);
        _state = Property(_activation, "State", typeof(object));
        _elapsed = Property(Type(core, "Orleans.Runtime.CoarseStopwatch"), "Elapsed", typeof(TimeSpan));
        _message =
        [
            Property(message, "Id", typeof(object)),
            Property(message, "SendingGrain", typeof(GrainId)),
            Property(message, "TargetGrain", typeof(GrainId)),
            Property(message, "TargetSilo", typeof(SiloAddress)),
            Property(message, "ForwardCount", typeof(int)),
            Property(message, "RetryCount", typeof(short)),
            Property(message, "BodyObject", typeof(object)),
        ];
        _callType = Type(core, "Orleans.Runtime.GrainMethodInvoker");
        _callMessage = Field(_callType, "message", message);
        _callbackMessage = Property(Type(core, "Orleans.Runtime.CallbackData"), "Message", message);
        _runtimeClient = Type(core, "Orleans.Runtime.IRuntimeClient");
        var siloControl = Type(core, "Orleans.ISiloControl");
        _getSiloControl = typeof(IGrainFactory)
            .GetMethod(nameof(IGrainFactory.GetGrain), 1, [typeof(GrainId)])?.MakeGenericMethod(siloControl)
            ?? throw Missing(nameof(IGrainFactory.GetGrain));

        // The token came with a later version.
        Type[] command = [typeof(string), typeof(int), typeof(object)];
        _sendCommand = (siloControl.GetMethod(SendCommandName, 1, command)
            ?? siloControl.GetMethod(SendCommandName, 1, [.. command, typeof(CancellationToken)])
            ?? throw Missing(SendCommandName)).MakeGenericMethod(typeof(CallReporter));
    }

    /// <summary>Gets the reader; null if this version of Orleans is another than expected.</summary>
    internal static RuntimeShape? Current => s_instance.Value;

    /// <summary>Sends a command to the <see cref="CallReporter"/> of a silo.</summary>
    /// <returns>The answer. Fails with <see cref="ArgumentException"/> if that silo has none.</returns>
    internal async Task<string> SendCommand(IGrainFactory grains, SiloAddress silo, string argument)
    {
        var target = SystemTargetGrainId.Create(s_siloControl, silo).GrainId;
        var control = _getSiloControl.Invoke(grains, [target]);
        object[] command = [CallReporter.Name, 0, argument, CancellationToken.None];
        return (string)await (Task<object>)_sendCommand.Invoke(
            control, command[.._sendCommand.GetParameters().Length])!;
    }

    /// <summary>Returns the outgoing call that a task waits for; null if it waits for something else.</summary>
    /// <remarks>
    /// The task of a call with filters is the state machine of an asynchronous method that has the call in a field, or
    /// awaits the task of another one that has.
    /// </remarks>
    internal static IOutgoingGrainCallContext? CallOf(Task task, int depth = MostAwaits)
    {
        var machine = task.GetType().GetField("StateMachine", Instance)?.GetValue(task);
        foreach (var field in machine?.GetType().GetFields(Instance) ?? [])
        {
            var value = field.GetValue(machine);
            var found = value is IOutgoingGrainCallContext call ? call
                : depth > 0 && AwaitedBy(value) is { } awaited ? CallOf(awaited, depth - 1)
                : null;
            if (found is not null)
            {
                return found;
            }
        }

        return null;
    }

    /// <summary>Returns the message of an outstanding call; null if it is not found.</summary>
    internal SentCall? Outstanding(IServiceProvider services, IInvokable request)
    {
        var client = services.GetService(_runtimeClient);
        if (client?.GetType().GetField("callbacks", Instance)?.GetValue(client) is not IDictionary callbacks)
        {
            return null;
        }

        var looked = 0;
        foreach (DictionaryEntry entry in callbacks)
        {
            var message = _callbackMessage.GetValue(entry.Value)!;
            if (ReferenceEquals(BodyOf(message), request))
            {
                return Sent(message);
            }

            if (++looked == MostRequests)
            {
                break;
            }
        }

        return null;
    }

    /// <summary>Returns the message of a request; null if the call is of another kind.</summary>
    internal SentCall? Sent(IIncomingGrainCallContext call) =>
        call.GetType() == _callType ? Sent(_callMessage.GetValue(call)!) : null;

    internal IGrainContext? FindActivation(IServiceProvider services, GrainId grain) =>
        services.GetService(_directory) is { } directory
            ? (IGrainContext?)_findTarget.Invoke(directory, [grain])
            : null;

    /// <summary>Tells what an activation does, and what it knows of one request.</summary>
    internal CallReport Read(IGrainContext activation, string? sender, string? id)
    {
        if (activation.GetType() != _activation)
        {
            return new CallReport
            {
                HasActivation = true,
                Problem = $"What the {activation.GetType().Name} of the grain does is not known.",
            };
        }

        lock (activation)
        {
            var report = new CallReport { HasActivation = true, State = _state.GetValue(activation)?.ToString() };
            var blocking = _blocking.GetValue(activation);
            foreach (DictionaryEntry running in (IDictionary)_running.GetValue(activation)!)
            {
                if (Is(running.Key))
                {
                    report = report with { Running = Seconds(running.Value), Forwards = ForwardsOf(running.Key) };
                }
                else if (ReferenceEquals(running.Key, blocking))
                {
                    report = report with { Blocker = NameOf(running.Key), BlockerRunning = Seconds(running.Value) };
                }
            }

            var waiting = (IList)_waiting.GetValue(activation)!;
            for (var i = 0; id is not null && i < Math.Min(waiting.Count, MostRequests); i++)
            {
                var entry = (ITuple)waiting[i]!;
                if (Is(entry[0]!))
                {
                    return report with { Waiting = Seconds(entry[1]), Before = i, Forwards = ForwardsOf(entry[0]!) };
                }
            }

            return waiting.Count > MostRequests
                ? report with { Problem = $"More than {MostRequests} requests wait for their turn before it." }
                : report;
        }

        bool Is(object message) => IdOf(message) == id && SenderOf(message) == sender;
    }

    private static Task? AwaitedBy(object? awaiter) => awaiter is ICriticalNotifyCompletion
        ? awaiter.GetType().GetField("m_task", Instance)?.GetValue(awaiter) as Task
        : null;

    private double? Seconds(object? stopwatch) =>
        stopwatch is null ? null : ((TimeSpan)_elapsed.GetValue(stopwatch)!).TotalSeconds;

    private SentCall Sent(object message) => new(
        IdOf(message),
        SenderOf(message),
        _message[2].GetValue(message)!.ToString()!,
        SentCall.SiloOf((SiloAddress?)_message[3].GetValue(message)),
        ForwardsOf(message),
        (short)_message[5].GetValue(message)!);

    private string IdOf(object message) => _message[0].GetValue(message)!.ToString()!;

    private string SenderOf(object message) => _message[1].GetValue(message)!.ToString()!;

    private int ForwardsOf(object message) => (int)_message[4].GetValue(message)!;

    private object? BodyOf(object message) => _message[6].GetValue(message);

    private string NameOf(object message) => BodyOf(message) is IInvokable request
        ? $"{request.GetInterfaceName()}.{request.GetMethodName()} of {SenderOf(message)}"
        : $"a request of {SenderOf(message)}";

    private static RuntimeShape? Find()
    {
        try
        {
            return new RuntimeShape();
        }
        catch (MissingMemberException)
        {
            return null;
        }
    }

    private static Type Type(Assembly assembly, string name) => assembly.GetType(name) ?? throw Missing(name);

    private static FieldInfo Field(Type type, string name, Type fieldType) =>
        type.GetField(name, Instance) is { } field && fieldType.IsAssignableFrom(field.FieldType)
            ? field
            : throw Missing(name);

    private static PropertyInfo Property(Type type, string name, Type propertyType) =>
        type.GetProperty(name, Instance) is { } property && propertyType.IsAssignableFrom(property.PropertyType)
            ? property
            : throw Missing(name);

    private static MissingMemberException Missing(string name) => new($"Orleans has no {name}.");
}
