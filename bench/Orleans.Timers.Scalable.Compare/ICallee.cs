namespace Orleans.Timers.Scalable.Compare;

/// <summary>A grain that answers at once, after a delay, or never.</summary>
public interface ICallee : IGrainWithIntegerKey
{
    ValueTask<int> Answer(int value);

    /// <summary>Answers at once, although it could be cancelled.</summary>
    ValueTask<int> AnswerUnlessCancelled(int value, CancellationToken cancellationToken);

    /// <summary>Answers after a delay.</summary>
    Task AnswerAfter(TimeSpan time);

    /// <summary>Never answers; times out after the silo's response timeout.</summary>
    Task Hang();

    /// <summary>Never answers.</summary>
    [ResponseTimeout("00:00:00.2")]
    Task HangBriefly();
}
