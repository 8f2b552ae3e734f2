namespace TransactionsDemo.Probes;

/// <summary>What a probe asks to be called back by.</summary>
internal enum ProbeKind
{
    /// <summary>The timers that the bank's own code waits with.</summary>
    Application,

    /// <summary>The static timers of Orleans, which its transactions start by themselves.</summary>
    StaticTimer,

    /// <summary>The response timeout of a call between grains.</summary>
    ResponseTimeout,
}
