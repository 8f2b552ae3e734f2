using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Orleans.Timers.Scalable.Transactions.Waits;

/// <summary>
/// Checks that this version of the library knows Orleans' static timer manager, and compiles accessors to it.
/// </summary>
/// <remarks>
/// Compares whole sets of fields: if a list also had a count, or a timer a back link, code unaware of it would corrupt
/// it. Checks everything before touching anything.
/// </remarks>
internal static class StaticTimerManagerShape
{
    private const BindingFlags Any = BindingFlags.Static | BindingFlags.Instance
        | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private const string Namespace = "Orleans.Timers.Internal.";

    /// <summary>Reads the manager of an assembly.</summary>
    /// <param name="findType">Finds a type of the assembly by its full name.</param>
    /// <exception cref="MissingMemberException">
    /// The manager differs from the expected one. The message says how.
    /// </exception>
    internal static StaticTimerManager Read(Func<string, Type?> findType)
    {
        Require(RuntimeFeature.IsDynamicCodeCompiled, "accessors cannot be compiled in this process");
        var timer = NestedType(TypeOf(findType, "TimerManager"), "DelayTimer");
        var callback = TypeOf(findType, "ITimerCallback");
        var element = Close(TypeOf(findType, "ILinkedListElement`1"), timer);
        Require(callback.IsAssignableFrom(timer), $"{timer} does not implement {callback}");
        Require(element.IsAssignableFrom(timer), $"{timer} does not implement {element}");
        RequireFields(timer, "completion", Backing("DueTime"), Backing("CancellationToken"), Backing("Next"));

        var managerDefinition = TypeOf(findType, "TimerManager`1");
        var manager = Close(managerDefinition, timer);
        var queue = Close(NestedType(managerDefinition, "ThreadLocalQueue"), timer);
        RequireFields(manager, "AllQueuesLock", "QueueChecker", "allQueues", "threadLocalQueue");
        RequireFields(queue, "Lock", "StarvationCount", Backing("Head"), Backing("Tail"));
        var period = Field(manager, "TIMER_TICK_MILLISECONDS", typeof(int));

        var queueParameter = Expression.Parameter(typeof(object), "queue");
        var timerParameter = Expression.Parameter(typeof(object), "timer");
        var theQueue = Expression.Convert(queueParameter, queue);
        var theLock = Expression.Field(theQueue, Field(queue, "Lock", null));
        var theCallback = Expression.Convert(timerParameter, callback);
        var theElement = Expression.Convert(timerParameter, element);
        var head = Expression.Property(theQueue, Property(queue, "Head", timer, isWritten: true));
        var tail = Expression.Property(theQueue, Property(queue, "Tail", timer, isWritten: true));
        var starvation = Expression.Field(theQueue, Field(queue, "StarvationCount", typeof(int)));
        var next = Expression.Property(theElement, Property(element, "Next", timer, isWritten: true));

        return new StaticTimerManager
        {
            Period = TimeSpan.FromMilliseconds((int)period.GetRawConstantValue()!),
            Checker = Compile<Func<Timer>>(Expression.Field(null, Field(manager, "QueueChecker", typeof(Timer)))),
            Queues = Compile<Func<object?[]>>(
                Expression.Field(null, Field(manager, "allQueues", queue.MakeArrayType()))),
            HasTimers = Compile<Func<object, bool>>(
                Expression.NotEqual(head, Expression.Constant(null, timer)),
                queueParameter),
            TryLock = Compile<Func<object, bool>>(Call(theLock, "TryGet", typeof(bool)), queueParameter),
            Unlock = Compile<Action<object>>(Call(theLock, "TryRelease", typeof(bool)), queueParameter),
            Detach = Compile<Func<object, object?>>(TakeFrom(head, [tail, starvation]), queueParameter),
            TakeNext = Compile<Func<object, object?>>(TakeFrom(next, []), timerParameter),
            DueTime = Compile<Func<object, DateTime>>(Read(theCallback, "DueTime", typeof(DateTime)), timerParameter),
            Token = Compile<Func<object, CancellationToken>>(
                Read(theCallback, "CancellationToken", typeof(CancellationToken)),
                timerParameter),
            OnTimeout = Compile<Action<object>>(Call(theCallback, "OnTimeout", typeof(void)), timerParameter),
            OnCanceled = Compile<Action<object>>(Call(theCallback, "OnCanceled", typeof(void)), timerParameter),
            Register = Compile<Action<object>>(
                Expression.Call(
                    Method(manager, "Register", typeof(void), timer),
                    Expression.Convert(timerParameter, timer)),
                timerParameter),
        };
    }

    /// <summary>Makes an expression that returns the value of a member, and clears it and others.</summary>
    private static BlockExpression TakeFrom(MemberExpression place, MemberExpression[] others)
    {
        var taken = Expression.Variable(place.Type);
        return Expression.Block(
            typeof(object),
            [taken],
            [
                Expression.Assign(taken, place),
                .. others.Prepend(place)
                    .Select(static other => Expression.Assign(other, Expression.Default(other.Type))),
                taken,
            ]);
    }

    private static TDelegate Compile<TDelegate>(Expression body, params ParameterExpression[] parameters) =>
        Expression.Lambda<TDelegate>(body, parameters).Compile();

    private static MethodCallExpression Call(Expression target, string name, Type returned) =>
        Expression.Call(target, Method(target.Type, name, returned));

    private static MemberExpression Read(Expression target, string name, Type type) =>
        Expression.Property(target, Property(target.Type, name, type, isWritten: false));

    private static Type TypeOf(Func<string, Type?> findType, string name) =>
        findType(Namespace + name) ?? throw Differs($"there is no {Namespace}{name}");

    private static Type NestedType(Type type, string name) =>
        type.GetNestedType(name, Any) ?? throw Differs($"{type} has no nested type {name}");

    private static Type Close(Type definition, Type argument)
    {
        try
        {
            return definition.MakeGenericType(argument);
        }
        catch (Exception exception) when (exception is ArgumentException or InvalidOperationException)
        {
            throw Differs($"{definition} does not accept the type argument {argument}");
        }
    }

    private static FieldInfo Field(Type type, string name, Type? fieldType)
    {
        var field = type.GetField(name, Any) ?? throw Differs($"{type} has no field {name}");
        Require(
            fieldType is null || field.FieldType == fieldType,
            $"{Name(field)} is of type {field.FieldType}, not {fieldType}");
        return field;
    }

    private static PropertyInfo Property(Type type, string name, Type propertyType, bool isWritten)
    {
        var property = type.GetProperty(name, Any) ?? throw Differs($"{type} has no property {name}");
        Require(
            property.PropertyType == propertyType,
            $"{Name(property)} is of type {property.PropertyType}, not {propertyType}");
        Require(
            property.CanRead && (property.CanWrite || !isWritten),
            $"{Name(property)} cannot be {(isWritten ? "read and written" : "read")}");
        return property;
    }

    private static MethodInfo Method(Type type, string name, Type returned, params Type[] parameters)
    {
        var method = type.GetMethod(name, Any, parameters)
            ?? throw Differs($"{type} has no method {name}({string.Join<Type>(", ", parameters)})");
        Require(method.ReturnType == returned, $"{Name(method)} returns {method.ReturnType}, not {returned}");
        return method;
    }

    private static void RequireFields(Type type, params string[] names)
    {
        // For an explicit implementation, the name inside the brackets begins with the interface's name.
        var fields = type.GetFields(Any)
            .Where(static field => !field.IsLiteral)
            .Select(static field => field.Name)
            .ToList();
        var missing = names.FirstOrDefault(name => !fields.Exists(field => Matches(field, name)));
        Require(missing is null, $"{type} has no field {missing}");
        var unknown = fields.Find(field => !names.Any(name => Matches(field, name)));
        Require(unknown is null, $"{type} has an unknown field {unknown}");
    }

    private static bool Matches(string field, string name) =>
        field == name || (name[0] == '<' && field.EndsWith("." + name[1..], StringComparison.Ordinal));

    private static string Backing(string property) => $"<{property}>k__BackingField";

    private static string Name(MemberInfo member) => $"{member.DeclaringType}.{member.Name}";

    private static void Require(bool holds, string difference)
    {
        if (!holds)
        {
            throw Differs(difference);
        }
    }

    private static MissingMemberException Differs(string difference) => new(difference);
}
