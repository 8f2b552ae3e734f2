using TransactionsDemo.Bank;

namespace TransactionsDemo.OnOrleans;

/// <summary>Lets Orleans send a <see cref="Transfer"/>, which does not depend on Orleans.</summary>
[RegisterConverter]
internal sealed class TransferConverter : IConverter<Transfer, TransferSurrogate>
{
    public Transfer ConvertFromSurrogate(in TransferSurrogate surrogate) => new()
    {
        Id = surrogate.Id,
        Teller = surrogate.Teller,
        From = surrogate.From,
        To = surrogate.To,
        Amount = surrogate.Amount,
        Deliberation = surrogate.Deliberation,
        IsRefused = surrogate.IsRefused,
        LostAnswer = surrogate.LostAnswer,
        IgnoresLockOrder = surrogate.IgnoresLockOrder,
    };

    public TransferSurrogate ConvertToSurrogate(in Transfer value) => new()
    {
        Id = value.Id,
        Teller = value.Teller,
        From = value.From,
        To = value.To,
        Amount = value.Amount,
        Deliberation = value.Deliberation,
        IsRefused = value.IsRefused,
        LostAnswer = value.LostAnswer,
        IgnoresLockOrder = value.IgnoresLockOrder,
    };
}
