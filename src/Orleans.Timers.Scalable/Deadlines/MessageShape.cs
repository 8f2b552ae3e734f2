using System.Linq.Expressions;
using System.Reflection;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>Reads the message behind an incoming call, if Orleans' internals are as expected.</summary>
/// <remarks>Checks the types, the members and their types before using anything, and only reads.</remarks>
internal static class MessageShape
{
    private const BindingFlags Instance = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    /// <summary>
    /// Returns a function that gets the remaining time to live of a call's message; null if the message does not expire
    /// or the call has another type.
    /// </summary>
    /// <param name="assembly">The assembly with the types: Orleans' core, except in tests.</param>
    /// <param name="difference">What differs, if the result is null.</param>
    internal static Func<IIncomingGrainCallContext, TimeSpan?>? FindTimeToLive(
        Assembly assembly, out string? difference)
    {
        var callType = assembly.GetType("Orleans.Runtime.GrainMethodInvoker");
        var messageType = assembly.GetType("Orleans.Runtime.Message");
        var message = callType?.GetField("message", Instance);
        var timeToLive = messageType?.GetProperty("TimeToLive", Instance);
        difference = (callType, messageType) switch
        {
            (null, _) => "there is no Orleans.Runtime.GrainMethodInvoker",
            (_, null) => "there is no Orleans.Runtime.Message",
            _ when !typeof(IIncomingGrainCallContext).IsAssignableFrom(callType) =>
                "GrainMethodInvoker does not implement IIncomingGrainCallContext",
            _ when message?.FieldType != messageType => "GrainMethodInvoker has no field message of type Message",
            _ when timeToLive?.PropertyType != typeof(TimeSpan?) =>
                "Message has no property TimeToLive of type TimeSpan?",
            _ => null,
        };
        if (difference is not null)
        {
            return null;
        }

        var call = Expression.Parameter(typeof(IIncomingGrainCallContext));
        var read = Expression.Property(Expression.Field(Expression.Convert(call, callType!), message!), timeToLive!);
        return Expression.Lambda<Func<IIncomingGrainCallContext, TimeSpan?>>(
            Expression.Condition(Expression.TypeIs(call, callType!), read, Expression.Default(typeof(TimeSpan?))), call)
            .Compile();
    }
}
