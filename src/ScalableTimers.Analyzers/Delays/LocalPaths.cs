using Microsoft.CodeAnalysis.FlowAnalysis;

namespace ScalableTimers.Analyzers.Delays;

/// <summary>The uses of a local in a function, and the paths between them.</summary>
internal sealed class LocalPaths
{
    private readonly ControlFlowGraph _graph;
    private readonly ILocalSymbol _local;
    private readonly List<ILocalReferenceOperation>[] _events;

    internal LocalPaths(ControlFlowGraph graph, ILocalSymbol local)
    {
        _graph = graph;
        _local = local;
        _events = new List<ILocalReferenceOperation>[graph.Blocks.Length];
        foreach (var block in graph.Blocks)
        {
            _events[block.Ordinal] = Operations(block)
                .OfType<ILocalReferenceOperation>()
                .Where(reference => KnownTypes.Same(reference.Local, local))
                .Where(static reference => !IsQuestion(reference))
                .ToList();
            IsAskedForCompletion |= Operations(block).OfType<ILocalReferenceOperation>()
                .Any(reference => KnownTypes.Same(reference.Local, _local) && IsQuestion(reference));
        }
    }

    /// <summary>Whether somewhere the code asks if the local has completed.</summary>
    internal bool IsAskedForCompletion { get; }

    internal IEnumerable<ILocalReferenceOperation> Uses => _events
        .SelectMany(static events => events)
        .Where(static reference => !IsTarget(reference));

    /// <summary>Whether a path leads from another use, or from this one, to it, with no assignment between.</summary>
    internal bool IsReachedFromAnother(ILocalReferenceOperation use) =>
        Uses.Any(other => ReachedFrom(other).Contains(use));

    /// <summary>Lists the operations of a block in the order in which they run.</summary>
    internal static IEnumerable<IOperation> Operations(BasicBlock block)
    {
        foreach (var operation in block.Operations)
        {
            foreach (var part in InOrder(operation))
            {
                yield return part;
            }
        }

        if (block.BranchValue is { } value)
        {
            foreach (var part in InOrder(value))
            {
                yield return part;
            }
        }
    }

    // The target of an assignment comes after its value.
    private static IEnumerable<IOperation> InOrder(IOperation operation)
    {
        var parts = operation is ISimpleAssignmentOperation assignment
            ? new[] { assignment.Value, assignment.Target }
            : operation.ChildOperations.AsEnumerable();
        foreach (var part in parts.SelectMany(InOrder))
        {
            yield return part;
        }

        yield return operation;
    }

    private HashSet<ILocalReferenceOperation> ReachedFrom(ILocalReferenceOperation use)
    {
        var reached = new HashSet<ILocalReferenceOperation>();
        var seen = new HashSet<int>();
        var blocks = new Stack<int>();
        var start = Array.FindIndex(_events, events => events.Contains(use));
        var position = _events[start].IndexOf(use);
        Follow(start, position + 1);
        while (blocks.Count > 0)
        {
            var next = blocks.Pop();
            if (seen.Add(next))
            {
                Follow(next, 0);
            }
        }

        return reached;

        void Follow(int block, int from)
        {
            foreach (var reference in _events[block].Skip(from))
            {
                if (IsTarget(reference))
                {
                    return;
                }

                reached.Add(reference);
            }

            Push(_graph.Blocks[block].FallThroughSuccessor);
            Push(_graph.Blocks[block].ConditionalSuccessor);
        }

        void Push(ControlFlowBranch? branch)
        {
            if (branch is null)
            {
                return;
            }

            foreach (var region in branch.FinallyRegions)
            {
                blocks.Push(region.FirstBlockOrdinal);
            }

            if (branch.Destination is { } destination)
            {
                blocks.Push(destination.Ordinal);
            }
        }
    }

    private static bool IsTarget(ILocalReferenceOperation reference) =>
        reference.Parent is ISimpleAssignmentOperation assignment && assignment.Target == reference;

    /// <summary>Whether it is a question that does not consume the delay, <c>IsCompleted</c> for instance.</summary>
    private static bool IsQuestion(ILocalReferenceOperation reference) =>
        reference.Parent is IPropertyReferenceOperation { Property.Name: not "Result" };
}
