namespace Orleans.Timers.Scalable.Tests;

public interface IPaymentGrain : IGrainWithIntegerKey
{
    /// <summary>
    /// Pays to one account and, when that takes too long, to another. The first answers before this method ends.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayEither(ILateAccountGrain first, IAccountGrain second, Guid gate, BoundedBy how);

    /// <summary>
    /// Has <see cref="PayEither"/> done as a part of its own transaction, and takes no notice when that fails.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayEitherAndForget(ILateAccountGrain first, IAccountGrain second, Guid gate, BoundedBy how);

    /// <summary>Pays to one account and does not get through to another.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayHalf(ILateAccountGrain unpaid, IAccountGrain paid, Guid gate, LostBy how);

    /// <summary>
    /// Has <see cref="PayHalf"/> done as a part of its own transaction, and takes no notice when that fails.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayHalfAndForget(ILateAccountGrain unpaid, IAccountGrain paid, Guid gate, LostBy how);

    /// <summary>Pays to one account, and cancels a payment to another before that is made.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayAndCancel(ILateAccountGrain cancelled, IAccountGrain paid, Guid gate);

    /// <summary>Asks something that is no part of the transaction, and pays when that takes too long.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayUnanswered(ILateAccountGrain asked, IAccountGrain payee, Guid gate);
}
