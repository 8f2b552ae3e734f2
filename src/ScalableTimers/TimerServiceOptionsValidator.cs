using Microsoft.Extensions.Options;

namespace ScalableTimers;

/// <summary>Validates options when a host starts.</summary>
internal sealed class TimerServiceOptionsValidator : IValidateOptions<TimerServiceOptions>
{
    public ValidateOptionsResult Validate(string? name, TimerServiceOptions options)
    {
        var errors = options.Errors().ToList();
        return errors.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(errors);
    }
}
