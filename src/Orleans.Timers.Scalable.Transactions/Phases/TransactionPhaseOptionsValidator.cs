using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Scalable.Registration;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>
/// Prevents a silo from starting with bounds that are out of range, contradict Orleans' options or do not reach the
/// transactions.
/// </summary>
internal sealed partial class TransactionPhaseOptionsValidator(
    IServiceProvider services,
    IOptions<TransactionPhaseOptions> phases,
    ILogger<TransactionPhaseOptionsValidator> logger) : IConfigurationValidator
{
    private const string Response = $"{nameof(SiloMessagingOptions)}.{nameof(MessagingOptions.ResponseTimeout)}";

    public void ValidateConfiguration()
    {
        var bounds = OptionErrors.Read(phases);
        OptionErrors.Refuse(bounds.Errors());

        var states = OptionErrors.Read(services.GetRequiredService<IOptions<TransactionalStateOptions>>());
        var response = OptionErrors.Read(services.GetRequiredService<IOptions<SiloMessagingOptions>>()).ResponseTimeout;
        if (bounds.Abort >= response)
        {
            throw new OrleansConfigurationException(
                $"{Of(nameof(bounds.Abort), bounds.Abort.Value)} is not shorter than {Response} ({response}), so the "
                    + $"response timeout would end the call first. Make {nameof(bounds.Abort)} shorter or the response "
                    + "timeout longer.");
        }

        foreach (var doubt in Doubts(bounds, states, response))
        {
            LogDoubt(logger, doubt);
        }

        // The last registration counts, and UseTransactions adds one each time.
        if (services.GetRequiredService<ITransactionAgent>() is not PhasedTransactionAgent)
        {
            throw new OrleansConfigurationException(
                "ConfigureTransactionPhases must be called after UseTransactions.");
        }
    }

    /// <summary>Returns a sentence for each combination that works, but probably not as it is meant.</summary>
    private static IEnumerable<string> Doubts(
        TransactionPhaseOptions phases, TransactionalStateOptions states, TimeSpan response)
    {
        if (phases.Deadline is not { } deadline)
        {
            yield break;
        }

        if (deadline > states.LockTimeout)
        {
            yield return
                $"{Of(nameof(phases.Deadline), deadline)} is longer than {nameof(TransactionalStateOptions)}."
                    + $"{nameof(states.LockTimeout)} ({states.LockTimeout}). So a transaction can lose its locks and "
                    + $"abort while it may still run. Make {nameof(phases.Deadline)} shorter or "
                    + $"{nameof(states.LockTimeout)} longer.";
        }

        if (deadline >= response)
        {
            yield return
                $"{Of(nameof(phases.Deadline), deadline)} is not shorter than {Response} ({response}). So callers "
                    + $"give up before they can learn of a missed deadline. Make {nameof(phases.Deadline)} shorter or "
                    + "the response timeout longer.";
        }
    }

    private static string Of(string property, TimeSpan value) =>
        $"{nameof(TransactionPhaseOptions)}.{property} ({value})";

    [LoggerMessage(1, LogLevel.Warning, "{Doubt}")]
    private static partial void LogDoubt(ILogger logger, string doubt);
}
