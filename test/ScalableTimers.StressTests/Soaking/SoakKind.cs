namespace ScalableTimers.StressTests.Soaking;

/// <summary>The kind of timer that was requested. Each is a row of the report.</summary>
internal enum SoakKind
{
    Callback,
    Delay,
    SharedTimeout,
    RentedTimeout,
    ServiceTimer,
    ProviderTimer,
    ShortLivedService,
    Mass,
}
