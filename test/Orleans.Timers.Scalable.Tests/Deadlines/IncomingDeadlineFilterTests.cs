using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Deadlines;

namespace Orleans.Timers.Scalable.Tests;

[Collection(typeof(DeadlineSilos))]
public sealed class IncomingDeadlineFilterTests(DeadlineSilos silos)
{
    /// <remarks>
    /// Orleans' own loops suppress the execution context where they begin. Even if a loop does not, a request without a
    /// deadline has none.
    /// </remarks>
    [Fact]
    public async Task Invoke_LoopHasCapturedADeadline_RequestDoesNotHaveIt()
    {
        var filter = new IncomingDeadlineFilter(silos.First.ServiceProvider.GetRequiredService<CallDeadlines>());
        var call = DispatchProxy.Create<IIncomingGrainCallContext, Call>();
        using var captured = CallDeadline.Begin(DeadlineCalls.Long);

        await Task.Run(() => filter.Invoke(call), TestContext.Current.CancellationToken);

        Assert.True(((Call)(object)call).HasRun);
        Assert.Null(((Call)(object)call).Remaining);
        Assert.NotNull(CallDeadline.Remaining);
    }

#pragma warning disable CA1852 // A proxy derives from it.
    private class Call : DispatchProxy
    {
        internal bool HasRun { get; private set; }

        internal TimeSpan? Remaining { get; private set; }

        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args)
        {
            if (targetMethod?.Name == "get_Request")
            {
                return new TokenRequest(isCancellable: false);
            }

            Assert.Equal(nameof(IGrainCallContext.Invoke), targetMethod?.Name);
            (HasRun, Remaining) = (true, CallDeadline.Remaining);
            return Task.CompletedTask;
        }
    }
#pragma warning restore CA1852
}
