using System.Reflection;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Finds the methods of an assembly that call methods which wait for time.</summary>
internal static class WaitScanner
{
    private static readonly Dictionary<short, OpCode> s_opCodes = typeof(OpCodes).GetFields()
        .Select(static field => (OpCode)field.GetValue(null)!)
        .ToDictionary(static opCode => opCode.Value);

    /// <summary>Callers and callees, as "Type.Method: Type.Method", each once, in alphabetical order.</summary>
    /// <param name="assembly">Read from its file.</param>
    /// <param name="waits">
    /// The methods to find, as "Type.Method", or "Type.Method(1)" for overloads with that many parameters that are not
    /// only a token. A constructor is "Type..ctor".
    /// </param>
    internal static IReadOnlyList<string> Calls(Assembly assembly, IReadOnlySet<string> waits)
    {
        using var file = new PEReader(File.OpenRead(assembly.Location));
        var metadata = file.GetMetadataReader();
        return
        [
            .. metadata.MethodDefinitions
                .Select(handle => metadata.GetMethodDefinition(handle))
                .Where(static method => method.RelativeVirtualAddress != 0)
                .SelectMany(method => Callees(file.GetMethodBody(method.RelativeVirtualAddress).GetILReader(), metadata)
                    .Where(waits.Contains)
                    .Select(callee => $"{Caller(metadata, method)}: {callee}"))
                .Distinct()
                .Order(StringComparer.Ordinal),
        ];
    }

    private static List<string> Callees(BlobReader code, MetadataReader metadata)
    {
        var callees = new List<string>();
        while (code.RemainingBytes > 0)
        {
            var first = code.ReadByte();
            var opCode = s_opCodes[first == 0xFE ? (short)(0xFE00 | code.ReadByte()) : first];
            if (opCode.OperandType == OperandType.InlineMethod)
            {
                callees.AddRange(Names(metadata, MetadataTokens.EntityHandle(code.ReadInt32())));
            }
            else if (opCode.OperandType == OperandType.InlineSwitch)
            {
                var targets = code.ReadInt32();
                code.Offset += 4 * targets;
            }
            else
            {
                code.Offset += SizeOf(opCode.OperandType);
            }
        }

        return callees;
    }

    private static int SizeOf(OperandType operand) => operand switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        _ => 4,
    };

    /// <summary>
    /// A method's name, without and with the number of its parameters, or with "token" if a token is its only
    /// parameter.
    /// </summary>
    private static string[] Names(MetadataReader metadata, EntityHandle handle)
    {
        if (handle.Kind == HandleKind.MethodSpecification)
        {
            return Names(metadata, metadata.GetMethodSpecification((MethodSpecificationHandle)handle).Method);
        }

        var (type, name, signature) = handle.Kind == HandleKind.MemberReference
            ? Of(metadata.GetMemberReference((MemberReferenceHandle)handle))
            : OfDefinition(metadata.GetMethodDefinition((MethodDefinitionHandle)handle));
        var full = $"{TypeName(metadata, type).Split('`')[0]}.{metadata.GetString(name)}";
        var parameters = ParameterCount(metadata.GetBlobReader(signature));
        return
        [
            full, parameters == 1 && EndsInAToken(metadata, signature) ? $"{full}(token)" : $"{full}({parameters})"
        ];

        static (EntityHandle, StringHandle, BlobHandle) Of(MemberReference member) =>
            (member.Parent, member.Name, member.Signature);

        static (EntityHandle, StringHandle, BlobHandle) OfDefinition(MethodDefinition method) =>
            (method.GetDeclaringType(), method.Name, method.Signature);
    }

    private static int ParameterCount(BlobReader signature)
    {
        if (signature.ReadSignatureHeader().IsGeneric)
        {
            signature.ReadCompressedInteger();
        }

        return signature.ReadCompressedInteger();
    }

    private static bool EndsInAToken(MetadataReader metadata, BlobHandle signature)
    {
        var type = metadata.TypeReferences.FirstOrDefault(
            handle =>
                metadata.StringComparer.Equals(metadata.GetTypeReference(handle).Name, nameof(CancellationToken)));
        if (type.IsNil)
        {
            return false;
        }

        var parameter = new BlobBuilder();
        parameter.WriteByte((byte)SignatureTypeKind.ValueType);
        parameter.WriteCompressedInteger(CodedIndex.TypeDefOrRefOrSpec(type));
        return metadata.GetBlobBytes(signature).AsSpan().EndsWith(parameter.ToArray());
    }

    private static string TypeName(MetadataReader metadata, EntityHandle handle) => handle.Kind switch
    {
        HandleKind.TypeReference => metadata.GetString(metadata.GetTypeReference((TypeReferenceHandle)handle).Name),
        HandleKind.TypeDefinition => metadata.GetString(metadata.GetTypeDefinition((TypeDefinitionHandle)handle).Name),
        HandleKind.TypeSpecification =>
            GenericName(
                metadata,
                metadata.GetBlobReader(metadata.GetTypeSpecification((TypeSpecificationHandle)handle).Signature)),
        _ => string.Empty,
    };

    private static string GenericName(MetadataReader metadata, BlobReader signature)
    {
        if (signature.ReadSignatureTypeCode() != SignatureTypeCode.GenericTypeInstance)
        {
            return string.Empty;
        }

        signature.ReadByte();
        return TypeName(metadata, signature.ReadTypeHandle());
    }

    /// <summary>
    /// The method in the source code. A state machine or a lambda is nested in the method's type and named after the
    /// method.
    /// </summary>
    private static string Caller(MetadataReader metadata, MethodDefinition method)
    {
        var name = metadata.GetString(method.Name);
        var type = metadata.GetTypeDefinition(method.GetDeclaringType());
        while (metadata.GetString(type.Name).StartsWith('<'))
        {
            var typeName = metadata.GetString(type.Name);
            name = typeName[1] == '>' ? name : typeName;
            type = metadata.GetTypeDefinition(type.GetDeclaringType());
        }

        var written = name.StartsWith('<') ? name[1..name.LastIndexOf('>')] : name;
        return $"{metadata.GetString(type.Name).Split('`')[0]}.{written.TrimStart('<').Split('>')[0]}";
    }
}
