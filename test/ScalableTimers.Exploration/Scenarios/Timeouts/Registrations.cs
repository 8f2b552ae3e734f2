using System.Linq.Expressions;
using System.Reflection;

namespace ScalableTimers.Exploration.Scenarios.Timeouts;

/// <summary>Reads what is registered with a token.</summary>
internal static class Registrations
{
    // The framework does not tell, but its private fields do.
    private static readonly Func<CancellationTokenSource, object?> s_first = CompileFirst();

    internal static bool Exist(CancellationTokenSource source) => s_first(source) is not null;

    private static Func<CancellationTokenSource, object?> CompileFirst()
    {
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        var source = Expression.Parameter(typeof(CancellationTokenSource));
        var all = Expression.Field(source, typeof(CancellationTokenSource).GetField("_registrations", Any)!);
        var first = Expression.Field(all, all.Type.GetField("Callbacks", Any)!);
        var none = Expression.Constant(null, first.Type);
        return Expression.Lambda<Func<CancellationTokenSource, object?>>(
            Expression.Condition(Expression.Equal(all, Expression.Constant(null, all.Type)), none, first), source)
            .Compile();
    }
}
