namespace Orleans.Timers.Scalable.Compare;

/// <summary>A grain that answers at once or never.</summary>
public interface ICallee : IGrainWithIntegerKey
{
    Task<int> Answer();

    Task<int> AnswerCancellable(CancellationToken cancellationToken);

    /// <summary>Never answers; times out after the silo's response timeout.</summary>
    Task Hang();

    /// <summary>Never answers.</summary>
    [ResponseTimeout("00:00:00.2")]
    Task HangBriefly();
}
