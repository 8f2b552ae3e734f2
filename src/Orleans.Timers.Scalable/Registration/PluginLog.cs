using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>Creates the plugin's loggers.</summary>
/// <remarks>
/// Their categories do not begin with Orleans, as the types' names do: most programs log only warnings of Orleans, and
/// would not see what the plugin has taken over.
/// </remarks>
internal static class PluginLog
{
    internal const string Category = "ScalableTimers.Orleans.";

    internal static ILogger Of<T>(ILoggerFactory loggers) => Of(loggers, typeof(T).Name);

    internal static ILogger Of(ILoggerFactory loggers, string part) => loggers.CreateLogger(Category + part);
}
