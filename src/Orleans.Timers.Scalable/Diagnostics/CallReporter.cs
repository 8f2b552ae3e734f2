using Orleans.Providers;

namespace Orleans.Timers.Scalable;

/// <summary>Tells what this silo knows of a call to one of its grains, also to other silos and to clients.</summary>
internal sealed class CallReporter(IServiceProvider services, ILocalSiloDetails silo, EndedRequests ended)
    : IControllable
{
    /// <summary>The name by which control commands reach this service.</summary>
    internal const string Name = "Orleans.Timers.Scalable.CallDiagnostics";

    internal SiloAddress Silo => silo.SiloAddress;

#nullable disable // Versions of Orleans differ in what they say of nulls here.
    /// <param name="command">Not used; there is one command.</param>
    /// <param name="arg">A <see cref="SentCall"/> as JSON.</param>
    /// <returns>A <see cref="CallReport"/> as JSON.</returns>
    public Task<object> ExecuteCommand(int command, object arg) =>
        Task.FromResult<object>(CallReportJson.Write(Report(CallReportJson.ReadCall((string)arg))));
#nullable restore

    internal CallReport Report(SentCall call)
    {
        if (RuntimeShape.Current is not { } shape)
        {
            return CallReport.UnexpectedVersion;
        }

        var target = GrainId.Parse(call.Target, provider: null);
        var report = shape.FindActivation(services, target) is { } activation
            ? shape.Read(activation, call.Sender, call.Id)
            : new CallReport();
        return WithEnded(report, target, call.Sender, call.Id) with { Silo = Silo.ToParsableString() };
    }

    /// <summary>Adds the request itself, if it has ended, and the long request that ended before.</summary>
    internal CallReport WithEnded(CallReport report, GrainId target, string? sender, string? id)
    {
        var clock = TimeProvider.System;
        if (sender is not null && id is not null && ended.Find(target, sender, id) is { } itself)
        {
            report = report with
            {
                Ran = itself.Ran.TotalSeconds,
                Ended = clock.GetElapsedTime(itself.End).TotalSeconds,
            };
        }

        return ended.Last(target, id) is not { } last
            ? report
            : report with
            {
                Last = last.Sender is null ? last.Method : $"{last.Method} of {last.Sender}",
                LastRan = last.Ran.TotalSeconds,
                LastEnded = clock.GetElapsedTime(last.End).TotalSeconds,
            };
    }
}
