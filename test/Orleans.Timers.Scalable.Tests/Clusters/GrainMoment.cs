namespace Orleans.Timers.Scalable.Tests;

/// <summary>The moments when a <see cref="ScriptableGrain"/> runs code of its test without being called.</summary>
internal enum GrainMoment
{
    Activation,
    Deactivation,
    Reminder,
}
