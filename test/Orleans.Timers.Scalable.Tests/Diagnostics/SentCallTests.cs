namespace Orleans.Timers.Scalable.Tests;

/// <summary>Reading the message of a call out of Orleans' exception.</summary>
public sealed class SentCallTests
{
    private const string Number = "00000000000004D2";
    private static readonly GrainId s_sender = GrainId.Create("sender", "1");
    private static readonly GrainId s_target = GrainId.Create("target", "a key] with #0000000000000001 and ->[");

    [Theory]
    [InlineData("", 0)]
    [InlineData("[ForwardCount=2]", 2)]
    public void TryRead_ExceptionOfTheCall_IsRead(string forwarded, int forwards)
    {
        var text = Text(s_sender, "S127.0.0.1:11111:7", forwarded);

        Assert.True(SentCall.TryRead(text, s_sender, s_target, out var timeout, out var call));

        Assert.Equal(TimeSpan.FromSeconds(30), timeout);
        Assert.Equal(
            new SentCall(Number, s_sender.ToString(), s_target.ToString(), "127.0.0.1:11111@7", forwards), call);
        Assert.Equal(
            "S127.0.0.1:11111:7", SiloAddress.FromParsableString("127.0.0.1:11111@7").ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("S127.0.0.1:30000:0")]
    public void TryRead_CallerDoesNotKnowTheSilo_ItIsNotKnown(string silo)
    {
        var client = GrainId.Create("sys.client", "c");

        Assert.True(SentCall.TryRead(Text(client, silo, ""), sender: null, s_target, out _, out var call));

        Assert.Null(call.Silo);
    }

    [Theory]
    [InlineData("Response did not arrive on time in 00:00:01 for IGrain.Method of target/1.")]
    [InlineData("Response did not arrive on time in 00:00:01 for message: .")]
    [InlineData("Something else")]
    [InlineData("")]
    public void TryRead_AnotherText_IsNotRead(string text) =>
        Assert.False(SentCall.TryRead(text, s_sender, s_target, out _, out _));

    [Fact]
    public void TryRead_ExceptionOfACallOfTheCallee_IsNotRead()
    {
        var text = Text(s_sender, "S127.0.0.1:11111:7", "");

        Assert.False(SentCall.TryRead(text, sender: null, s_target, out _, out _));
        Assert.False(SentCall.TryRead(text, s_target, s_target, out _, out _));
        Assert.False(SentCall.TryRead(text, s_sender, s_sender, out _, out _));
    }

    private static string Text(GrainId sender, string silo, string forwarded) =>
        $"Response did not arrive on time in 00:00:30 for message: Request [S127.0.0.1:22222:8 {sender}]->[{silo} "
            + $"{s_target}] IGrain.Method(\" #0000000000000002\") #{Number}{forwarded}. Last known status is x #. ";
}
