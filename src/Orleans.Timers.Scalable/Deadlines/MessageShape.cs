using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>Reads the message behind an incoming call, if Orleans' internals are as expected.</summary>
/// <remarks>
/// Checks everything before using anything: the types, the members, their types, and that a time to live reads back as
/// it was set. The plugin never writes to a message of Orleans.
/// </remarks>
internal sealed class MessageShape
{
    private const BindingFlags Instance = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
    private static readonly TimeSpan s_sample = TimeSpan.FromHours(1);

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
            _ when timeToLive?.PropertyType != typeof(TimeSpan?) || !timeToLive.CanWrite =>
                "Message has no property TimeToLive of type TimeSpan? that can be set",
            _ when forwards?.PropertyType != typeof(int) => "Message has no property ForwardCount of type int",
            _ => null,
        };
        if (difference is not null)
        {
            return false;
        }

        // This accessor takes a message and serves only the check. The ones below take a call.
        var read = Compile<TimeSpan?>(messageType!, of => Expression.Property(of, timeToLive!));
        if (!IsKept(messageType!, timeToLive!, read))
        {
            difference = "Message.TimeToLive does not return the value that was set";
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

    private static bool IsKept(Type messageType, PropertyInfo timeToLive, Func<object, TimeSpan?> read)
    {
        try
        {
            var message = Activator.CreateInstance(messageType, nonPublic: true)!;
            if (read(message) is not null)
            {
                return false;
            }

            timeToLive.SetValue(message, s_sample);
            return read(message) is { } kept && kept <= s_sample && kept > s_sample - TimeSpan.FromMinutes(1);
        }
#pragma warning disable CA1031 // Any exception means that this version is not the expected one.
        catch (Exception)
#pragma warning restore CA1031
        {
            return false;
        }
    }

    private static Func<object, T> Compile<T>(Type type, Func<Expression, Expression> member)
    {
        var parameter = Expression.Parameter(typeof(object));
        return Expression.Lambda<Func<object, T>>(member(Expression.Convert(parameter, type)), parameter).Compile();
    }
}
