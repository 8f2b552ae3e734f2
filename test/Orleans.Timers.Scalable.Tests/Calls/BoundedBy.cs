namespace Orleans.Timers.Scalable.Tests;

/// <summary>By what a call inside a transaction is bounded.</summary>
public enum BoundedBy
{
    Scope,
    ScopeWithToken,
    WithTimeout,
    WithTimeoutAndToken,
}
