using System.Linq.Expressions;
using System.Reflection;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>
/// Finds private members of Orleans, or says with a <see cref="MissingMemberException"/> how this version differs.
/// </summary>
internal static class OrleansShape
{
    private const BindingFlags Any = BindingFlags.Static | BindingFlags.Instance
        | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    internal static TDelegate Compile<TDelegate>(Expression body, params ParameterExpression[] parameters) =>
        Expression.Lambda<TDelegate>(body, parameters).Compile();

    internal static MethodCallExpression Call(Expression target, string name, Type returned) =>
        Expression.Call(target, Method(target.Type, name, returned));

    internal static MemberExpression Get(Expression target, string name, Type? type) =>
        Expression.Property(target, Property(target.Type, name, type, isWritten: false));

    internal static Type TypeOf(Func<string, Type?> findType, string name) =>
        findType(name) ?? throw Differs($"there is no {name}");

    internal static Type NestedType(Type type, string name) =>
        type.GetNestedType(name, Any) ?? throw Differs($"{type} has no nested type {name}");

    internal static Type Close(Type definition, Type argument)
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

    internal static FieldInfo Field(Type type, string name, Type? fieldType)
    {
        var field = type.GetField(name, Any) ?? throw Differs($"{type} has no field {name}");
        Require(
            fieldType is null || field.FieldType == fieldType,
            $"{Name(field)} is of type {field.FieldType}, not {fieldType}");
        return field;
    }

    internal static PropertyInfo Property(Type type, string name, Type? propertyType, bool isWritten)
    {
        var property = type.GetProperty(name, Any) ?? throw Differs($"{type} has no property {name}");
        Require(
            propertyType is null || property.PropertyType == propertyType,
            $"{Name(property)} is of type {property.PropertyType}, not {propertyType}");
        Require(
            property.CanRead && (property.CanWrite || !isWritten),
            $"{Name(property)} cannot be {(isWritten ? "read and written" : "read")}");
        return property;
    }

    internal static MethodInfo Method(Type type, string name, Type returned, params Type[] parameters)
    {
        var method = type.GetMethod(name, Any, parameters)
            ?? throw Differs($"{type} has no method {name}({string.Join<Type>(", ", parameters)})");
        Require(method.ReturnType == returned, $"{Name(method)} returns {method.ReturnType}, not {returned}");
        return method;
    }

    internal static void RequireFields(Type type, params string[] names)
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

    internal static string Backing(string property) => $"<{property}>k__BackingField";

    private static string Name(MemberInfo member) => $"{member.DeclaringType}.{member.Name}";

    internal static void Require(bool holds, string difference)
    {
        if (!holds)
        {
            throw Differs(difference);
        }
    }

    internal static MissingMemberException Differs(string difference) => new(difference);
}
