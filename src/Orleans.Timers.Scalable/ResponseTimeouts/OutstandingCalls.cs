using System.Collections.Concurrent;
using System.Reflection;

namespace Orleans.Timers.Scalable;

/// <summary>Tells whether a runtime client has calls outstanding. Orleans does not say, so its own table is asked.</summary>
internal static class OutstandingCalls
{
    private const string Table = "callbacks";

    /// <summary>A question that costs some ten nanoseconds; null where the runtime client does not look as expected.</summary>
    internal static Func<bool>? NoneQuestion(Type? maker, IServiceProvider services)
    {
        var field = maker?.GetField(Table, BindingFlags.Instance | BindingFlags.NonPublic);
        if (field is not { IsInitOnly: true, FieldType.IsGenericType: true }
            || field.FieldType.GetGenericTypeDefinition() != typeof(ConcurrentDictionary<,>)
            || services.GetService(maker!) is not { } client)
        {
            return null;
        }

        // Not Count: that takes every lock of the table. This takes them only when the table looks empty.
        return field.FieldType.GetProperty(nameof(ConcurrentDictionary<,>.IsEmpty))!.GetMethod!.CreateDelegate<Func<bool>>(field.GetValue(client));
    }
}
