using Microsoft.Extensions.Options;

namespace Orleans.Timers.Scalable;

/// <summary>Keeps a silo or client from starting with an option out of its range.</summary>
internal sealed class CallDeadlineOptionsValidator(IOptions<CallDeadlineOptions> options) : IConfigurationValidator
{
    public void ValidateConfiguration()
    {
        var errors = string.Join(" ", options.Value.Errors());
        if (errors.Length != 0)
        {
            throw new OrleansConfigurationException(errors);
        }
    }
}
