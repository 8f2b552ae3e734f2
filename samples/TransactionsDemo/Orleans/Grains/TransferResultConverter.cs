using TransactionsDemo.Bank;

namespace TransactionsDemo.OnOrleans;

/// <summary>Lets Orleans send a <see cref="TransferResult"/>, which does not depend on Orleans.</summary>
[RegisterConverter]
internal sealed class TransferResultConverter : IConverter<TransferResult, TransferResultSurrogate>
{
    public TransferResult ConvertFromSurrogate(in TransferResultSurrogate surrogate) => new()
    {
        Outcome = surrogate.Outcome,
        Retries = surrogate.Retries,
        WasInDoubt = surrogate.WasInDoubt,
    };

    public TransferResultSurrogate ConvertToSurrogate(in TransferResult value) => new()
    {
        Outcome = value.Outcome,
        Retries = value.Retries,
        WasInDoubt = value.WasInDoubt,
    };
}
