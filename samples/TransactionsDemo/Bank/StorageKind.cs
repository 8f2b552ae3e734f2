namespace TransactionsDemo.Bank;

/// <summary>Where a bank on Orleans keeps its accounts and books.</summary>
internal enum StorageKind
{
    /// <summary>In grains of the silos, and lost with them.</summary>
    Memory,

    /// <summary>
    /// In a temporary folder. The data outlives a silo's process, but not the machine, because nothing waits for a
    /// disk.
    /// </summary>
    Files,

    /// <summary>In PostgreSQL, through Orleans' ADO.NET storage.</summary>
    Postgres,
}
