namespace TransactionsDemo.OnOrleans;

/// <summary>Measures delays inside a grain.</summary>
internal interface IDelayProbeGrain : IGrainWithIntegerKey
{
    Task<TimeSpan[]> MeasureAsync(TimeSpan[] dueTimes);
}
