namespace ScalableTimers.Exploration.Engine;

/// <summary>Marks a type that hides a type of the framework from the core.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct)]
internal sealed class ShadowAttribute : Attribute;
