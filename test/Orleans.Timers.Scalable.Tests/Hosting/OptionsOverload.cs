namespace Orleans.Timers.Scalable.Tests;

/// <summary>The overloads of <c>AddScalableTimers</c>, which are the same for silos and clients.</summary>
public enum OptionsOverload
{
    /// <summary>Without an argument. Options are set in the usual ways.</summary>
    None,

    /// <summary>With an action on the options.</summary>
    Action,

    /// <summary>With an action on their builder.</summary>
    Builder,
}
