namespace ScalableTimers.Analyzers.Grains;

/// <summary>Where code is that leads to a wait, as far as it matters when the wait ends with its activation.</summary>
[Flags]
internal enum Places
{
    /// <summary>A call: its caller gets the exception, and may call again.</summary>
    Call = 0,

    /// <summary>Code that nobody runs again: a one-way method, a reminder, a grain timer's callback.</summary>
    Unretried = 1,

    /// <summary>A loop that goes on after the exception.</summary>
    Loop = 2,

    /// <summary><c>OnDeactivateAsync</c>, where a wait for the activation's end has ended already.</summary>
    Deactivation = 4,

    /// <summary>A task that nobody awaits, so that it does not hold up deactivation.</summary>
    Detached = 8,
}
