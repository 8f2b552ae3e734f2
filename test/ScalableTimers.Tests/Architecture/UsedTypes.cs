using System.Reflection;
using System.Reflection.Emit;

namespace ScalableTimers.Tests.Architecture;

/// <summary>The types whose members the compiled code of a type uses, also after a dot.</summary>
internal static class UsedTypes
{
    private const BindingFlags All = BindingFlags.DeclaredOnly | BindingFlags.Instance | BindingFlags.Static
        | BindingFlags.Public | BindingFlags.NonPublic;

    private static readonly Dictionary<short, OpCode> s_opCodes = typeof(OpCodes)
        .GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(static field => (OpCode)field.GetValue(null)!)
        .ToDictionary(static code => code.Value);

    internal static IEnumerable<Type> Of(Type type) => type.GetConstructors(All)
        .Concat<MethodBase>(type.GetMethods(All))
        .SelectMany(method => Members(type, method))
        .Select(static member => member as Type ?? member.DeclaringType)
        .OfType<Type>();

    private static IEnumerable<MemberInfo> Members(Type type, MethodBase method)
    {
        var code = method.GetMethodBody()?.GetILAsByteArray() ?? [];
        var typeArguments = type.GetGenericArguments();
        var arguments = method.IsGenericMethod ? method.GetGenericArguments() : [];
        for (var i = 0; i < code.Length;)
        {
            var opCode = s_opCodes[code[i] == 0xFE ? (short)((code[i++] << 8) | code[i++]) : code[i++]];
            if (opCode.OperandType is OperandType.InlineMethod or OperandType.InlineField or OperandType.InlineType
                or OperandType.InlineTok)
            {
                yield return type.Module.ResolveMember(BitConverter.ToInt32(code, i), typeArguments, arguments)!;
            }

            i += opCode.OperandType switch
            {
                OperandType.InlineNone => 0,
                OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
                OperandType.InlineVar => 2,
                OperandType.InlineI8 or OperandType.InlineR => 8,
                OperandType.InlineSwitch => 4 + (4 * BitConverter.ToInt32(code, i)),
                _ => 4,
            };
        }
    }
}
