using Orleans.Timers.Scalable.Deadlines;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain extension that is not Orleans' own, without an implementation.</summary>
public interface IApplicationExtension : IGrainExtension;

/// <summary>An observer of an application, without an implementation.</summary>
public interface IApplicationObserver : IGrainObserver;

public sealed class ApplicationCallsTests
{
    private static readonly GrainId s_grain = GrainId.Create("grain", "1");

    [Theory]
    [InlineData(typeof(IScriptedGrain), true)]
    [InlineData(typeof(IAccountGrain), true)]
    [InlineData(typeof(IManagementGrain), false)]
    [InlineData(typeof(IRemindable), false)]
    [InlineData(typeof(ITransactionalResourceExtension), false)]
    [InlineData(typeof(ITransactionManagerExtension), false)]
    [InlineData(typeof(IAsyncEnumerableGrainExtension), false)]
    [InlineData(typeof(IApplicationExtension), false)]
    [InlineData(typeof(IApplicationObserver), false)]
    public void Include_Interface_BindsOnlyApplicationGrains(Type type, bool isBound) =>
        Assert.Equal(isBound, ApplicationCalls.Include(RequestOf(type), s_grain));

    [Fact]
    public void Include_TargetIsAClientOrASystemTarget_IsNotBound()
    {
        var request = RequestOf(typeof(IScriptedGrain));
        Assert.False(ApplicationCalls.Include(request, GrainId.Create("sys.client", "1")));
        Assert.False(ApplicationCalls.Include(
            request, GrainId.Create(GrainType.Create("sys.svc.user.Test"), IdSpan.Create("1"))));
    }

    private static TokenRequest RequestOf(Type type) => new() { InterfaceType = type };
}
