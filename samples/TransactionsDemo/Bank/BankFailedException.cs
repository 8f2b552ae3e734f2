namespace TransactionsDemo.Bank;

/// <summary>A bank has lost track of money or of a transfer. Nothing it says can be trusted any more.</summary>
internal sealed class BankFailedException(string message, Exception? innerException = null)
    : Exception(message, innerException);
