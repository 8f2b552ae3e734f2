namespace ScalableTimers.StressTests.Soaking;

/// <summary>What was asked for; a row of the report.</summary>
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
