namespace ScalableTimers.Exploration.Engine;

/// <summary>Marks a type that hides one of the framework's from the core.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct)]
internal sealed class ShadowAttribute : Attribute;
