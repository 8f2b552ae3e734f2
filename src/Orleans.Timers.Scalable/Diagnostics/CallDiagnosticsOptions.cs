namespace Orleans.Timers.Scalable;

/// <summary>How a silo or client explains timeouts and measures calls. Read once, when it starts.</summary>
public sealed class CallDiagnosticsOptions
{
    private const int MostMethods = 10_000;
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(10);

    /// <summary>Gets or sets how long an exception may wait for its explanation.</summary>
    /// <value>From zero to 10 seconds. The default is 100 milliseconds.</value>
    /// <remarks>
    /// If the callee's silo answers later, the explanation is in the log only, and the exception says so. With zero the
    /// exception comes at once, as it is without diagnostics.
    /// </remarks>
    public TimeSpan LongestDelay { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>Gets or sets how long the log entry waits for the answer of the callee's silo.</summary>
    /// <value>From zero to 10 seconds. The default is 250 milliseconds.</value>
    /// <remarks>With zero the silo is not asked, so nothing of the callee is known.</remarks>
    public TimeSpan QuestionTimeout { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>Gets or sets how many methods have measurements of their own.</summary>
    /// <value>From 0 to 10,000. The default is 256.</value>
    /// <remarks>The methods that are called first count. All others are measured together, as "other".</remarks>
    public int MethodsInMetrics { get; set; } = 256;

    /// <summary>Gets or sets how many calls there are to one whose wait in the callee's queue is measured.</summary>
    /// <value>1 measures all calls, 0 none. The default is 16.</value>
    /// <remarks>
    /// A measured call takes a number along in its request context, which costs more than everything else here.
    /// </remarks>
    public int QueueTimeSampling { get; set; } = 16;

    /// <summary>
    /// Returns what is wrong with the values: a sentence for each error, with the property, the value and the range.
    /// </summary>
    internal IEnumerable<string> Errors()
    {
        foreach (var (name, time) in new[]
        {
            (nameof(LongestDelay), LongestDelay),
            (nameof(QuestionTimeout), QuestionTimeout),
        })
        {
            if (time < TimeSpan.Zero || time > s_longest)
            {
                yield return
                    $"{nameof(CallDiagnosticsOptions)}.{name} is {time}; it must be from {TimeSpan.Zero} to "
                        + $"{s_longest}.";
            }
        }

        if (MethodsInMetrics is < 0 or > MostMethods)
        {
            yield return
                $"{nameof(CallDiagnosticsOptions)}.{nameof(MethodsInMetrics)} is {MethodsInMetrics}; it must be from "
                    + $"0 to {MostMethods}.";
        }

        if (QueueTimeSampling < 0)
        {
            yield return
                $"{nameof(CallDiagnosticsOptions)}.{nameof(QueueTimeSampling)} is {QueueTimeSampling}; it must not be "
                    + "negative.";
        }
    }
}
