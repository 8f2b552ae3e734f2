using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>Reads the message behind an incoming call, if Orleans' internals are as expected.</summary>
/// <remarks>Checks the types, the members and their types before using anything, and only reads.</remarks>
internal sealed class MessageShape
{
    private const BindingFlags Instance = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    private readonly Type _callType;
    private readonly Func<object, TimeSpan?> _timeToLive;
    private readonly Func<object, int> _forwards;

    private MessageShape(Type callType, Func<object, TimeSpan?> timeToLive, Func<object, int> forwards) =>
        (_callType, _timeToLive, _forwards) = (callType, timeToLive, forwards);

    /// <param name="assembly">The assembly with the types: Orleans' core, except in tests.</param>
    /// <param name="shape">Reads messages.</param>
    /// <param name="difference">What differs, if the result is false.</param>
    internal static bool TryFind(
        Assembly assembly, [NotNullWhen(true)] out MessageShape? shape, [NotNullWhen(false)] out string? difference)
    {
        shape = null;
        var callType = assembly.GetType("Orleans.Runtime.GrainMethodInvoker");
        var messageType = assembly.GetType("Orleans.Runtime.Message");
        var message = callType?.GetField("message", Instance);
        var timeToLive = messageType?.GetProperty("TimeToLive", Instance);
        var forwards = messageType?.GetProperty("ForwardCount", Instance);
        difference = (callType, messageType) switch
        {
            (null, _) => "there is no Orleans.Runtime.GrainMethodInvoker",
            (_, null) => "there is no Orleans.Runtime.Message",
            _ when !typeof(IIncomingGrainCallContext).IsAssignableFrom(callType) =>
                "GrainMethodInvoker does not implement IIncomingGrainCallContext",
            _ when message?.FieldType != messageType => "GrainMethodInvoker has no field message of type Message",
            _ when timeToLive?.PropertyType != typeof(TimeSpan?) =>
                "Message has no property TimeToLive of type TimeSpan?",
            _ when forwards?.PropertyType != typeof(int) => "Message has no property ForwardCount of type int",
            _ => null,
        };
        if (difference is not null)
        {
            return false;
        }

        shape = new MessageShape(
            callType!,
            Compile<TimeSpan?>(callType!, of => Expression.Property(Expression.Field(of, message!), timeToLive!)),
            Compile<int>(callType!, of => Expression.Property(Expression.Field(of, message!), forwards!)));
        return true;
    }

    /// <summary>
    /// Returns the remaining time to live of a call's message; null if the message does not expire or the call has
    /// another type.
    /// </summary>
    internal TimeSpan? TimeToLive(IIncomingGrainCallContext call) =>
        call.GetType() == _callType ? _timeToLive(call) : null;

    /// <summary>
    /// Returns how often the message was forwarded to another silo. Only for calls that have a time to live.
    /// </summary>
    internal int Forwards(IIncomingGrainCallContext call) => _forwards(call);

    private static Func<object, T> Compile<T>(Type type, Func<Expression, Expression> member)
    {
        var parameter = Expression.Parameter(typeof(object));
        return Expression.Lambda<Func<object, T>>(member(Expression.Convert(parameter, type)), parameter).Compile();
    }
}
