namespace Orleans.Timers.Scalable.Tests;

public interface IPaymentGrain : IGrainWithIntegerKey
{
    /// <summary>
    /// Pays to one account and, when that takes too long, to another. The first answers before this method ends.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayEither(ILateAccountGrain first, IAccountGrain second, Guid gate, BoundedBy how);

    /// <summary>
    /// Calls <see cref="PayEither"/> as a part of its own transaction, and ignores a failure.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayEitherAndForget(ILateAccountGrain first, IAccountGrain second, Guid gate, BoundedBy how);

    /// <summary>Pays to one account and cannot reach another.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayHalf(ILateAccountGrain unpaid, IAccountGrain paid, Guid gate, LostBy how);

    /// <summary>
    /// Calls <see cref="PayHalf"/> as a part of its own transaction, and ignores a failure.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayHalfAndForget(ILateAccountGrain unpaid, IAccountGrain paid, Guid gate, LostBy how);

    /// <summary>Pays to one account, and cancels a payment to another before that payment is made.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayAndCancel(ILateAccountGrain cancelled, IAccountGrain paid, Guid gate);

    /// <summary>Makes a call that is no part of the transaction, and pays when that call takes too long.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayUnanswered(ILateAccountGrain asked, IAccountGrain payee, Guid gate);
}
