using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Serialization.Invocation;

namespace Orleans.Timers.Scalable.Tests;

public sealed class CallMetricsBoundTests : IDisposable
{
    private readonly ServiceProvider _container = new ServiceCollection().AddMetrics().BuildServiceProvider();

    public void Dispose() => _container.Dispose();

    [Fact]
    public void Took_MoreMethodsThanAllowed_TheRestAreOther()
    {
        var metrics = new CallMetrics(
            _container.GetRequiredService<IMeterFactory>(),
            _container,
            Options.Create(new CallDiagnosticsOptions { MethodsInMetrics = 2 }));
        using var measured = new CollectedMetrics();

        for (var i = 0; i < 2; i++)
        {
            metrics.Took(new FakeRequest<int>(), TimeSpan.FromSeconds(1));
            metrics.Took(new FakeRequest<long>(), TimeSpan.FromSeconds(2));
            metrics.Took(new FakeRequest<byte>(), TimeSpan.FromSeconds(3));
            metrics.Took(new FakeRequest<char>(), TimeSpan.FromSeconds(4));
        }

        Assert.Equal([1, 1], measured.Of(CallMetrics.DurationName, "Int32"));
        Assert.Equal([2, 2], measured.Of(CallMetrics.DurationName, "Int64"));
        Assert.Equal([3, 4, 3, 4], measured.Of(CallMetrics.DurationName, "other"));
    }

    // The call failed with the listener's exception.
    [Fact]
    public void Took_ListenerThrows_TheCallDoesNotFail()
    {
        var metrics = new CallMetrics(
            _container.GetRequiredService<IMeterFactory>(),
            _container,
            Options.Create(new CallDiagnosticsOptions()));
        var thrown = 0;
        using var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == PluginMeter.Name)
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<double>((_, _, tags, _) => Throw(tags));
        listener.SetMeasurementEventCallback<long>((_, _, tags, _) => Throw(tags));
        listener.Start();

        metrics.Took(new FakeRequest<Guid>(), TimeSpan.FromSeconds(1));
        metrics.Waited(new FakeRequest<Guid>(), TimeSpan.FromSeconds(1));
        metrics.CountTimeout(new FakeRequest<Guid>(), TimedOutCall.CallTimeout);

        Assert.Equal(3, thrown);

        // Other tests may measure meanwhile.
        void Throw(ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            if (tags.Contains(new KeyValuePair<string, object?>(CallMetrics.Method, nameof(Guid))))
            {
                thrown++;
                throw new InvalidOperationException();
            }
        }
    }

    private sealed class FakeRequest<T> : Request
    {
        public override string GetMethodName() => typeof(T).Name;

        public override string GetInterfaceName() => "IFake";

        public override string GetActivityName() => "IFake";

        public override Type GetInterfaceType() => typeof(T);

        public override System.Reflection.MethodInfo GetMethod() => throw new NotSupportedException();

        public override object GetTarget() => this;

        public override void SetTarget(ITargetHolder holder)
        {
        }

        public override void Dispose()
        {
        }

        protected override ValueTask InvokeInner() => ValueTask.CompletedTask;
    }
}
