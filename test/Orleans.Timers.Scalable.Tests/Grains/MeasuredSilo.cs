namespace Orleans.Timers.Scalable.Tests;

/// <summary>A silo in virtual time that measures its grain timers.</summary>
[CollectionDefinition]
public sealed class MeasuredSilo : VirtualTimeSilo, ICollectionFixture<MeasuredSilo>
{
    protected override void Configure(int number, ISiloBuilder silo)
    {
        base.Configure(number, silo);
        silo.MeasureGrainTimers(static timers => timers.MaxTickDuration = TimeSpan.FromMinutes(10));
    }
}
