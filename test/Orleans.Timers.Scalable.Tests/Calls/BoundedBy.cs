namespace Orleans.Timers.Scalable.Tests;

/// <summary>The way in which a call inside a transaction is bounded.</summary>
public enum BoundedBy
{
    Scope,
    ScopeWithToken,
    WithTimeout,
    WithTimeoutAndToken,
}
