using System.Linq.Expressions;
using System.Reflection;

namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// Clears the core's thread-static fields, so that each logical thread finds them empty like a new thread.
/// </summary>
internal static class ThreadStatics
{
    private static readonly Action s_reset = Compile();

    internal static void Reset() => s_reset();

    private static Action Compile()
    {
        const BindingFlags All =
            BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        var fields = CoreTypes.All.Where(static type => !type.ContainsGenericParameters)
            .SelectMany(static type => type.GetFields(All))
            .Where(static field => field.IsDefined(typeof(ThreadStaticAttribute)));
        var assignments = fields.Select(static Expression (field) =>
            Expression.Assign(Expression.Field(null, field), Expression.Default(field.FieldType)));
        return Expression.Lambda<Action>(Expression.Block([.. assignments, Expression.Empty()])).Compile();
    }
}
