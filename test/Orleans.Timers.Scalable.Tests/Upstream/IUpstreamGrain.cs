namespace Orleans.Timers.Scalable.Tests.Upstream;

public interface IUpstreamGrain : IGrainWithGuidKey
{
    [ResponseTimeout("00:00:00.200")]
    Task AnswerTooLate();

    Task HoldFor(TimeSpan duration);

    /// <summary>Waits for a tick of a grain timer to begin, which awaits its token for a while.</summary>
    Task BeginTick(TimeSpan duration);
}
