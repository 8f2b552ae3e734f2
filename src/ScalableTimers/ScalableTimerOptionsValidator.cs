using Microsoft.Extensions.Options;

namespace ScalableTimers;

/// <summary>Validates options when a host starts.</summary>
internal sealed class ScalableTimerOptionsValidator : IValidateOptions<ScalableTimerOptions>
{
    public ValidateOptionsResult Validate(string? name, ScalableTimerOptions options)
    {
        var errors = options.Errors().ToList();
        return errors.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(errors);
    }
}
