using Microsoft.CodeAnalysis.FlowAnalysis;

namespace ScalableTimers.Analyzers.Delays;

/// <summary>A use of a local that holds one of our delays.</summary>
/// <remarks>
/// Follows the branches of the code and not its exceptions: a second await in a <c>catch</c> is not found. Neither are
/// uses in functions other than the one that began the delay.
/// </remarks>
internal readonly struct DelayUse
{
    private DelayUse(ILocalReferenceOperation operation, string name, string misuse)
    {
        Operation = operation;
        Name = name;
        Misuse = misuse;
    }

    internal IOperation Operation { get; }

    /// <summary>The method that began the delay.</summary>
    internal string Name { get; }

    /// <summary>What is wrong, as the end of a sentence.</summary>
    internal string Misuse { get; }

    /// <summary>Whether the result is read without an <c>await</c>.</summary>
    internal static bool IsBlocking(IOperation delay) => delay.Parent switch
    {
        IPropertyReferenceOperation { Property.Name: "Result" } => true,
        IInvocationOperation { TargetMethod.Name: "GetAwaiter", Parent: IInvocationOperation { } result } =>
            result.TargetMethod.Name == "GetResult",
        _ => false,
    };

    internal static IEnumerable<DelayUse> Misuses(ControlFlowGraph graph, KnownTypes types)
    {
        var begun = new Dictionary<ILocalSymbol, string>(SymbolEqualityComparer.Default);
        var preserved = new HashSet<ILocalSymbol>(SymbolEqualityComparer.Default);
        foreach (var operation in Operations(graph))
        {
            if (operation is not ISimpleAssignmentOperation
                {
                    Target: ILocalReferenceOperation target,
                    Value: IInvocationOperation { TargetMethod.Name: var name } value
                })
            {
                continue;
            }

            if (types.IsOurDelay(value))
            {
                begun[target.Local] = name;
            }
            else if (name == "Preserve")
            {
                preserved.Add(target.Local);
            }
        }

        foreach (var local in begun.Where(local => !preserved.Contains(local.Key)))
        {
            foreach (var use in Misuses(graph, local.Key, local.Value))
            {
                yield return use;
            }
        }

        foreach (var inner in InnerGraphs(graph))
        {
            foreach (var use in Misuses(inner, types))
            {
                yield return use;
            }
        }
    }

    private static IEnumerable<DelayUse> Misuses(ControlFlowGraph graph, ILocalSymbol local, string name)
    {
        var paths = new LocalPaths(graph, local);
        foreach (var use in paths.Uses)
        {
            if (paths.IsReachedFromAnother(use))
            {
                yield return new DelayUse(use, name, "may have been awaited already");
            }
            else if (IsBlocking(use) && !paths.IsAskedForCompletion)
            {
                yield return new DelayUse(use, name, "is blocked on");
            }
        }
    }

    private static IEnumerable<ControlFlowGraph> InnerGraphs(ControlFlowGraph graph)
    {
        foreach (var function in graph.LocalFunctions)
        {
            yield return graph.GetLocalFunctionControlFlowGraph(function);
        }

        foreach (var function in Operations(graph).OfType<IFlowAnonymousFunctionOperation>())
        {
            yield return graph.GetAnonymousFunctionControlFlowGraph(function);
        }
    }

    private static IEnumerable<IOperation> Operations(ControlFlowGraph graph) =>
        graph.Blocks.SelectMany(static block => LocalPaths.Operations(block));
}
