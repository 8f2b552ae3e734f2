using System.Collections.Concurrent;
using System.Reflection;

namespace Orleans.Timers.Scalable.Messaging;

/// <summary>
/// Tells whether a runtime client has outstanding calls. Orleans has no method for that, so this reads its table.
/// </summary>
internal static class OutstandingCalls
{
    private const string Table = "callbacks";

    /// <summary>
    /// Returns a function that answers in some ten nanoseconds; null if the runtime client's internals are not as
    /// expected.
    /// </summary>
    internal static Func<bool>? NoneQuestion(Type? maker, IServiceProvider services)
    {
        var field = maker?.GetField(Table, BindingFlags.Instance | BindingFlags.NonPublic);
        if (field is not { IsInitOnly: true, FieldType.IsGenericType: true }
            || field.FieldType.GetGenericTypeDefinition() != typeof(ConcurrentDictionary<,>)
            || services.GetService(maker!) is not { } client)
        {
            return null;
        }

        // Count would take every lock of the table. IsEmpty takes them only when the table looks empty.
        var isEmpty = field.FieldType.GetProperty(nameof(ConcurrentDictionary<,>.IsEmpty))!.GetMethod!;
        return isEmpty.CreateDelegate<Func<bool>>(field.GetValue(client));
    }
}
