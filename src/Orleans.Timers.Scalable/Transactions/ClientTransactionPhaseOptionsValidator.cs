using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;

namespace Orleans.Timers.Scalable;

/// <summary>
/// Prevents a client from starting with bounds that are out of range, that only silos can enforce, or that do not reach
/// the client's transactions.
/// </summary>
internal sealed partial class ClientTransactionPhaseOptionsValidator(
    IServiceProvider services,
    IOptions<TransactionPhaseOptions> phases,
    ILogger<ClientTransactionPhaseOptionsValidator> logger) : IConfigurationValidator
{
    public void ValidateConfiguration()
    {
        var bounds = OptionErrors.Read(phases);
        OptionErrors.Refuse(bounds.Errors());

        var messaging = OptionErrors.Read(services.GetRequiredService<IOptions<ClientMessagingOptions>>());
        OptionErrors.Refuse(TransactionPhaseRules.ClientErrors(bounds, messaging.ResponseTimeout));
        foreach (var doubt in TransactionPhaseRules.LateDeadline(bounds, messaging.ResponseTimeout))
        {
            LogDoubt(logger, doubt);
        }

        TransactionPhaseOptionsValidator.RefuseUndecorated(services);
    }

    [LoggerMessage(1, LogLevel.Warning, "{Doubt}")]
    private static partial void LogDoubt(ILogger logger, string doubt);
}
