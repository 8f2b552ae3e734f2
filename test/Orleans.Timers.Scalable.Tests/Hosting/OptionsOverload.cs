namespace Orleans.Timers.Scalable.Tests;

/// <summary>The overloads of <c>AddScalableTimers</c>, which are the same for silos and clients.</summary>
public enum OptionsOverload
{
    /// <summary>Without an argument; options are set as any options are.</summary>
    None,

    /// <summary>With an action on the options.</summary>
    Action,

    /// <summary>With an action on their builder.</summary>
    Builder,
}
