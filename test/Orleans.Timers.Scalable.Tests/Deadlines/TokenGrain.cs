using System.Collections.Concurrent;
using Orleans.Concurrency;
using Orleans.Placement;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain whose methods take a token. They run code of the test that calls them.</summary>
public interface ITokenGrain : IGrainWithGuidKey
{
    Task Run(Guid script, CancellationToken cancellationToken);

    [AlwaysInterleave]
    Task RunInterleaved(Guid script, CancellationToken cancellationToken);

    [ResponseTimeout("00:00:01")]
    Task RunForASecond(Guid script, CancellationToken cancellationToken);

    [OneWay]
    Task RunOneWay(Guid script, CancellationToken cancellationToken);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task RunInATransaction(Guid script, CancellationToken cancellationToken);
}

/// <summary>Like <see cref="ITokenGrain"/>, but a stateless worker.</summary>
public interface ITokenWorker : ITokenGrain;

/// <summary>Like <see cref="ITokenGrain"/>, but without a base class, as Orleans allows.</summary>
public interface IPlainTokenGrain : ITokenGrain;

internal abstract class TokenGrainBase : Grain, ITokenGrain
{
    private static readonly ConcurrentDictionary<Guid, Func<TokenGrainBase, CancellationToken, Task>> s_scripts = new();

    internal static Guid Leave(Func<TokenGrainBase, CancellationToken, Task> script)
    {
        var id = Guid.NewGuid();
        s_scripts[id] = script;
        return id;
    }

    internal static Task RunPlain(Guid script, CancellationToken cancellationToken) =>
        s_scripts[script](null!, cancellationToken);

    public Task Run(Guid script, CancellationToken cancellationToken) => s_scripts[script](this, cancellationToken);

    public Task RunInterleaved(Guid script, CancellationToken cancellationToken) => Run(script, cancellationToken);

    public Task RunForASecond(Guid script, CancellationToken cancellationToken) => Run(script, cancellationToken);

    public Task RunOneWay(Guid script, CancellationToken cancellationToken) => Run(script, cancellationToken);

    public Task RunInATransaction(Guid script, CancellationToken cancellationToken) => Run(script, cancellationToken);

    internal new void DeactivateOnIdle() => base.DeactivateOnIdle();
}

[PreferLocalPlacement]
internal sealed class TokenGrain : TokenGrainBase;

[StatelessWorker(maxLocalWorkers: 2)]
internal sealed class TokenWorker : TokenGrainBase, ITokenWorker;

[PreferLocalPlacement]
internal sealed class PlainTokenGrain : IPlainTokenGrain
{
    public Task Run(Guid script, CancellationToken cancellationToken) =>
        TokenGrainBase.RunPlain(script, cancellationToken);

    public Task RunInterleaved(Guid script, CancellationToken cancellationToken) => Run(script, cancellationToken);

    public Task RunForASecond(Guid script, CancellationToken cancellationToken) => Run(script, cancellationToken);

    public Task RunOneWay(Guid script, CancellationToken cancellationToken) => Run(script, cancellationToken);

    public Task RunInATransaction(Guid script, CancellationToken cancellationToken) => Run(script, cancellationToken);
}
