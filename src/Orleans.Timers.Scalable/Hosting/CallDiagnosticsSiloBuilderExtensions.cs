using System.Runtime.CompilerServices;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable;

namespace Orleans.Hosting;

/// <summary>
/// Makes every timeout of a silo's calls explain itself, and measures the calls by interface and method.
/// </summary>
/// <remarks>
/// <para>
/// When a response timeout or a call timeout ends a call, the callee's silo is asked what it knows of it. The answer is
/// added to the exception's message, to one log entry, and as an event to the caller's span. Where a deadline ends a
/// call, what the refusing side knows is added. What is not known is not guessed. Add it to silos and clients alike: a
/// callee's silo without it has nothing to say.
/// </para>
/// <para>
/// <b>Cost.</b> Two call filters. With any filter Orleans takes a longer path for each call; see
/// <c>docs/call-diagnostics.md</c>. A timeout costs one call between silos. Scalable timers are added if they have not
/// been. <b>Accuracy.</b> The times of queues and running requests are Orleans' own, in steps of 16 milliseconds. An
/// exception is delayed by <see cref="CallDiagnosticsOptions.LongestDelay"/> at most. <b>Order.</b> The outgoing filter
/// is in front of those that are registered before it, behind the one of <c>AddCallTimeouts</c>. <b>Threads.</b> Call
/// these methods while the silo is being configured. Calling twice configures twice and registers once.
/// </para>
/// </remarks>
public static class CallDiagnosticsSiloBuilderExtensions
{
    /// <summary>Adds call diagnostics with its default options.</summary>
    /// <param name="builder">The silo.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder AddCallDiagnostics(this ISiloBuilder builder) =>
        builder.AddCallDiagnostics(static (OptionsBuilder<CallDiagnosticsOptions> _) => { });

    /// <summary>Adds call diagnostics.</summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configureOptions">Sets options. A value out of its range keeps the silo from starting.</param>
    /// <returns><paramref name="builder"/>.</returns>
    [OverloadResolutionPriority(1)]
    public static ISiloBuilder AddCallDiagnostics(
        this ISiloBuilder builder, Action<CallDiagnosticsOptions> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(configureOptions);
        return builder.AddCallDiagnostics(
            (OptionsBuilder<CallDiagnosticsOptions> options) => options.Configure(configureOptions));
    }

    /// <summary>Adds call diagnostics.</summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configureOptions">
    /// Sets options, for instance by binding them to configuration. A value out of its range keeps the silo from
    /// starting.
    /// </param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder AddCallDiagnostics(
        this ISiloBuilder builder, Action<OptionsBuilder<CallDiagnosticsOptions>> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configureOptions);
        ScalableTimersRegistration.AddToSilo(builder.Services);
        configureOptions(CallDiagnosticsRegistration.AddToSilo(builder.Services));
        return builder;
    }
}
