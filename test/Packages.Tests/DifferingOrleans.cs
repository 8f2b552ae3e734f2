using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.Cecil.Rocks;

namespace Packages.Tests;

/// <summary>Turns the Orleans of a built program into a version that may come.</summary>
internal sealed class DifferingOrleans : IDisposable
{
    private readonly List<ModuleDefinition> _modules;

    /// <param name="folder">Holds the program.</param>
    internal DifferingOrleans(string folder)
    {
        using var resolver = new DefaultAssemblyResolver();
        resolver.AddSearchDirectory(folder);
        _modules =
        [
            .. Directory.EnumerateFiles(folder, "Orleans.*.dll")
                .Where(static file =>
                    !Path.GetFileName(file).StartsWith(PackedPackages.Plugin, StringComparison.Ordinal))
                .Select(file => ModuleDefinition.ReadModule(
                    file, new ReaderParameters { InMemory = true, AssemblyResolver = resolver })),
        ];
    }

    /// <summary>Gives a type another name, wherever Orleans itself uses it.</summary>
    internal void Rename(string type)
    {
        Assert.Contains(_modules, module => module.GetType(type) is not null);
        foreach (var module in _modules)
        {
            foreach (var reference in module.GetTypeReferences().Append(module.GetType(type)))
            {
                if (reference?.FullName == type)
                {
                    reference.Name = "Renamed" + reference.Name;
                }
            }
        }
    }

    /// <summary>Adds a member to an interface. Without a body, Orleans' own types implement it.</summary>
    internal void AddMember(string face, bool hasBody)
    {
        var types = _modules.SelectMany(static module => module.GetAllTypes()).ToList();
        Assert.Contains(types, type => type.FullName == face);
        foreach (var type in types)
        {
            var isFace = type.FullName == face;
            if (isFace
                || (type.IsClass
                    && type.Interfaces.Any(each => each.InterfaceType.GetElementType().FullName == face)))
            {
                var isAbstract = isFace && !hasBody;
                var member = new MethodDefinition(
                    "NewMember",
                    MethodAttributes.Public | MethodAttributes.Virtual | MethodAttributes.NewSlot
                        | MethodAttributes.HideBySig | (isAbstract ? MethodAttributes.Abstract : 0),
                    type.Module.TypeSystem.Void);
                type.Methods.Add(member);
                if (!isAbstract)
                {
                    member.Body.GetILProcessor().Emit(OpCodes.Ret);
                }
            }
        }
    }

    /// <summary>Writes the assemblies.</summary>
    internal void WriteTo(string folder) =>
        _modules.ForEach(module => module.Write(Path.Combine(folder, module.Name)));

    public void Dispose() => _modules.ForEach(static module => module.Dispose());
}
