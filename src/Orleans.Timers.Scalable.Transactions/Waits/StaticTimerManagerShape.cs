using System.Linq.Expressions;
using System.Runtime.CompilerServices;
using static Orleans.Timers.Scalable.Registration.OrleansShape;

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
    private const string Namespace = "Orleans.Timers.Internal.";

    /// <summary>Reads the manager of an assembly.</summary>
    /// <param name="findType">Finds a type of the assembly by its full name.</param>
    /// <exception cref="MissingMemberException">
    /// The manager differs from the expected one. The message says how.
    /// </exception>
    internal static StaticTimerManager Read(Func<string, Type?> findType)
    {
        Require(RuntimeFeature.IsDynamicCodeCompiled, "accessors cannot be compiled in this process");
        var timer = NestedType(TypeOf(findType, Namespace + "TimerManager"), "DelayTimer");
        var callback = TypeOf(findType, Namespace + "ITimerCallback");
        var element = Close(TypeOf(findType, Namespace + "ILinkedListElement`1"), timer);
        Require(callback.IsAssignableFrom(timer), $"{timer} does not implement {callback}");
        Require(element.IsAssignableFrom(timer), $"{timer} does not implement {element}");
        RequireFields(timer, "completion", Backing("DueTime"), Backing("CancellationToken"), Backing("Next"));

        var managerDefinition = TypeOf(findType, Namespace + "TimerManager`1");
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
            DueTime = Compile<Func<object, DateTime>>(Get(theCallback, "DueTime", typeof(DateTime)), timerParameter),
            Token = Compile<Func<object, CancellationToken>>(
                Get(theCallback, "CancellationToken", typeof(CancellationToken)),
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
}
