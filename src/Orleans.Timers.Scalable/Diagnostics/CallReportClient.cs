using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable;

/// <summary>
/// Asks the silo of a call's target, by Orleans' control commands. Finds that silo in the grain directory if the caller
/// does not know it.
/// </summary>
/// <remarks>
/// A control command reaches a system target, which answers even if the grain and the rest of the silo are busy.
/// Clients reach it through their gateway. An interface of our own would need generated code, by which Orleans takes
/// this assembly for a part of the application and does not start if it is loaded twice.
/// </remarks>
internal sealed class CallReportClient(IServiceProvider services, IGrainFactory grains)
{
    internal async Task<CallReport> Ask(SentCall call)
    {
        CallReport? first = null;
        var silo = call.Silo is null ? null : SiloAddress.FromParsableString(call.Silo);
        if (silo is not null)
        {
            first = await Ask(silo, call);
            if (first.IsFound || first.HasActivation)
            {
                return first;
            }
        }

        // The message may have been forwarded, or its sender did not know the silo.
        var target = grains.GetGrain(GrainId.Parse(call.Target, provider: null));
        var located = await grains.GetGrain<IManagementGrain>(0).GetActivationAddress(target);
        return located is null || located.Equals(silo)
            ? first ?? new CallReport { Problem = "The grain has no activation that the directory knows." }
            : await Ask(located, call);
    }

    private async Task<CallReport> Ask(SiloAddress silo, SentCall call)
    {
        if (services.GetService<CallReporter>() is { } reporter && silo.Equals(reporter.Silo))
        {
            return reporter.Report(call);
        }

        try
        {
            return RuntimeShape.Current is { } shape
                ? CallReportJson.ReadReport(await shape.SendCommand(grains, silo, CallReportJson.Write(call)))
                : CallReport.UnexpectedVersion;
        }
        catch (ArgumentException)
        {
            // Orleans has found nothing that takes the command.
            return new CallReport
            {
                Silo = silo.ToParsableString(),
                Problem = $"The callee's silo {silo.ToParsableString()} has no diagnostics.",
            };
        }
    }
}
