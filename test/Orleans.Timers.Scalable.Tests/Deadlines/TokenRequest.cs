using System.Reflection;
using Orleans.Serialization.Invocation;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A request like those that Orleans generates for methods with a token.</summary>
internal sealed class TokenRequest : RequestBase
{
    private CancellationTokenSource _source = null!;

    internal TokenRequest(bool isCancellable = true)
    {
        IsCancellable = isCancellable;
        SetTarget(null!);
    }

    internal CancellationToken Token { get; private set; }

    internal Type InterfaceType { get; init; } = typeof(ITokenGrain);

    public override bool IsCancellable { get; }

    /// <summary>Begins again, as when the request is sent again within its silo.</summary>
    public override void SetTarget(ITargetHolder holder)
    {
        _source = new CancellationTokenSource();
        Token = _source.Token;
    }

    public override CancellationToken GetCancellationToken() => Token;

    public override int GetArgumentCount() => 1;

    public override object GetArgument(int index) => Token;

    public override void SetArgument(int index, object value) => Token = (CancellationToken)value;

    public override bool TryCancel()
    {
        _source.Cancel(throwOnFirstException: false);
        return true;
    }

    public override void Dispose() => _source.Dispose();

    public override ValueTask<Response> Invoke() => throw new NotSupportedException();

    public override object GetTarget() => throw new NotSupportedException();

    public override string GetMethodName() => "Method";

    public override string GetInterfaceName() => "Interface";

    public override string GetActivityName() => throw new NotSupportedException();

    public override Type GetInterfaceType() => InterfaceType;

    public override MethodInfo GetMethod() => throw new NotSupportedException();
}
