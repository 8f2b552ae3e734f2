using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace ScalableTimers.Tests.PublicApi;

/// <summary>Writes the public API of an assembly as C# declarations in a stable order.</summary>
internal sealed class PublicApiWriter
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static
        | BindingFlags.DeclaredOnly;

    private static readonly Dictionary<Type, string> s_keywords = new()
    {
        [typeof(void)] = "void",
        [typeof(object)] = "object",
        [typeof(string)] = "string",
        [typeof(bool)] = "bool",
        [typeof(char)] = "char",
        [typeof(byte)] = "byte",
        [typeof(sbyte)] = "sbyte",
        [typeof(short)] = "short",
        [typeof(ushort)] = "ushort",
        [typeof(int)] = "int",
        [typeof(uint)] = "uint",
        [typeof(long)] = "long",
        [typeof(ulong)] = "ulong",
        [typeof(float)] = "float",
        [typeof(double)] = "double",
        [typeof(decimal)] = "decimal",
    };

    private readonly NullabilityInfoContext _nullability = new();
    private readonly StringBuilder _text = new();

    private PublicApiWriter()
    {
    }

    internal static string Write(Assembly assembly)
    {
        var writer = new PublicApiWriter();
        foreach (
            var space in assembly.GetExportedTypes()
                .Where(static type => !type.IsNested)
                .GroupBy(static type => type.Namespace)
                .OrderBy(static space => space.Key, StringComparer.Ordinal))
        {
            writer._text.Append(CultureInfo.InvariantCulture, $"namespace {space.Key}\n");
            foreach (var type in space.OrderBy(static type => type.Name, StringComparer.Ordinal))
            {
                writer._text.Append('\n');
                writer.WriteType(type, string.Empty);
            }
        }

        return writer._text.ToString();
    }

    private void WriteType(Type type, string indent)
    {
        var bases = new List<string>();
        if (type.BaseType is { } parent
            && parent != typeof(object)
            && parent != typeof(ValueType)
            && parent != typeof(Enum))
        {
            bases.Add(Name(parent));
        }

        bases.AddRange(
            type.IsEnum
                ? []
                : type.GetInterfaces()
                    .Where(static contract => contract.IsPublic)
                    .Select(Name)
                    .Order(StringComparer.Ordinal));
        var suffix = bases.Count == 0 ? string.Empty : " : " + string.Join(", ", bases);
        _text.Append(CultureInfo.InvariantCulture, $"{indent}public {Kind(type)} {Name(type)}{suffix}\n");

        var inner = indent + "    ";
        foreach (var line in type.IsEnum ? Values(type) : Members(type).Order(StringComparer.Ordinal))
        {
            _text.Append(CultureInfo.InvariantCulture, $"{inner}{line}\n");
        }

        foreach (var nested in type.GetNestedTypes().OrderBy(static nested => nested.Name, StringComparer.Ordinal))
        {
            WriteType(nested, inner);
        }
    }

    private static IEnumerable<string> Values(Type type) => Enum.GetNames(type)
        .Select(name => (Name: name, Value: Convert.ToInt64(Enum.Parse(type, name), CultureInfo.InvariantCulture)))
        .OrderBy(static value => value.Value)
        .Select(static value => $"{value.Name} = {value.Value}");

    private IEnumerable<string> Members(Type type)
    {
        var constructors = type.GetConstructors(Declared)
            .Where(IsVisible)
            .Where(static constructor => !constructor.IsStatic)
            .Select(constructor => $"{Access(constructor)} {Simple(type)}({Parameters(constructor)})");
        var fields = type.GetFields(Declared).Where(static field => field.IsPublic || field.IsFamily)
            .Select(
                field =>
                    "public "
                    + $"{(field.IsLiteral ? "const " : field.IsStatic ? "static " : string.Empty)}"
                    + $"{(field.IsInitOnly ? "readonly " : string.Empty)}{Name(field.FieldType)} {field.Name}");
        var properties = type.GetProperties(Declared)
            .Where(static property => property.GetAccessors(true).Any(IsVisible))
            .Select(Property);
        var methods = type.GetMethods(Declared).Where(IsVisible)
            .Where(static method => !method.IsSpecialName || method.Name.StartsWith("op_", StringComparison.Ordinal))
            .Where(static method => !method.Name.Contains('<', StringComparison.Ordinal))
            .Select(
                method =>
                    $"{Access(method)} "
                    + $"{Modifiers(method)}{Name(_nullability.Create(method.ReturnParameter), method.ReturnType)} "
                    + $"{method.Name}{Generics(method)}({Parameters(method)})");
        return constructors.Concat(fields).Concat(properties).Concat(methods);
    }

    private string Property(PropertyInfo property)
    {
        var accessors = new List<string>();
        if (property.GetMethod is { } get && IsVisible(get))
        {
            accessors.Add("get;");
        }

        if (property.SetMethod is { } set && IsVisible(set))
        {
            accessors.Add(
                set.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit)) ? "init;" : "set;");
        }

        var accessor = property.GetMethod ?? property.SetMethod!;
        return $"{Access(accessor)} {Modifiers(accessor)}{Name(_nullability.Create(property), property.PropertyType)} "
            + $"{property.Name} {{ {string.Join(" ", accessors)} }}";
    }

    private string Parameters(MethodBase method)
    {
        var isExtension = method.IsDefined(typeof(ExtensionAttribute), inherit: false);
        return string.Join(", ", method.GetParameters().Select((parameter, index) =>
            (isExtension && index == 0 ? "this " : string.Empty)
            + (parameter.IsOut ? "out " : parameter.ParameterType.IsByRef ? "ref " : string.Empty)
            + Name(_nullability.Create(parameter), parameter.ParameterType)
            + " "
            + parameter.Name
            + (parameter.HasDefaultValue ? " = " + Default(parameter) : string.Empty)));
    }

    private static string Default(ParameterInfo parameter) => parameter.DefaultValue switch
    {
        null => parameter.ParameterType.IsValueType ? "default" : "null",
        bool value => value ? "true" : "false",
        string value => $"\"{value}\"",
        var value => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };

    private static string Kind(Type type)
    {
        if (type.IsEnum)
        {
            return "enum";
        }

        if (type.IsInterface)
        {
            return "interface";
        }

        if (type.IsValueType)
        {
            return type.IsDefined(typeof(IsReadOnlyAttribute), inherit: false) ? "readonly struct" : "struct";
        }

        return (
            type.IsAbstract && type.IsSealed ? "static "
            : type.IsAbstract ? "abstract "
            : type.IsSealed ? "sealed "
            : string.Empty) + "class";
    }

    private static bool IsVisible(MethodBase method) => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly;

    private static string Access(MethodBase method) => method.IsPublic ? "public" : "protected";

    private static string Modifiers(MethodInfo method)
    {
        if (method.IsStatic)
        {
            return "static ";
        }

        if (method.GetBaseDefinition() != method)
        {
            return "override ";
        }

        return method.IsAbstract ? "abstract " : method.IsVirtual && !method.IsFinal ? "virtual " : string.Empty;
    }

    private static string Generics(MethodInfo method) =>
        method.IsGenericMethod
            ? $"<{string.Join(", ", method.GetGenericArguments().Select(static argument => argument.Name))}>"
            : string.Empty;

    private static string Name(NullabilityInfo nullability, Type type)
    {
        if (Nullable.GetUnderlyingType(type) is not null || type.IsByRef)
        {
            return Name(type);
        }

        var name = type.IsGenericType
            ? $"{Simple(type)}<"
                + string.Join(
                    ", ", nullability.GenericTypeArguments.Select(static argument => Name(argument, argument.Type)))
                + ">"
            : Name(type);
        return !type.IsValueType && nullability.ReadState == NullabilityState.Nullable ? name + "?" : name;
    }

    private static string Name(Type type)
    {
        if (type.IsByRef)
        {
            return Name(type.GetElementType()!);
        }

        if (type.IsArray)
        {
            return Name(type.GetElementType()!) + "[]";
        }

        if (Nullable.GetUnderlyingType(type) is { } underlying)
        {
            return Name(underlying) + "?";
        }

        if (s_keywords.TryGetValue(type, out var keyword))
        {
            return keyword;
        }

        return type.IsGenericType
            ? $"{Simple(type)}<{string.Join(", ", type.GetGenericArguments().Select(Name))}>"
            : type.Name;
    }

    private static string Simple(Type type) => type.Name.Split('`')[0];
}
