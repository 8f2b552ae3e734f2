using TransactionsDemo.CommandLine;
using TransactionsDemo.Comparison;

namespace TransactionsDemo.Tests.CommandLine;

public class DemoCommandTests
{
    private DemoOptions? _kinds;
    private ComparisonOptions? _comparison;

    private static bool HasOrleans => BankEngines.All.Length > 1;

    [Fact]
    public async Task WithoutAnything_OrleansAloneAndWithThePluginAreCompared_OrKindsIfThereIsNoOrleans()
    {
        await ReadAsync();

        if (!HasOrleans)
        {
            Assert.Null(_comparison);
            Assert.Equal(["embedded"], _kinds!.Cases.Select(static each => each.Engine.Name).Distinct());
            return;
        }

        Assert.Null(_kinds);
        Assert.Equal(VariantPair.Plugin, _comparison!.Variants);
        Assert.Equal([2], _comparison.Silos);
        Assert.Equal([128], _comparison.Concurrencies);
        Assert.Equal("--duration 4s --warm-up 1s", string.Join(' ', _comparison.RoundArguments.Take(4)));
        Assert.Equal("default", ValueOf("--recovery"));
        Assert.Equal("0", ValueOf("--slow"));
    }

    [Theory]
    [InlineData("--timers", "all")]
    [InlineData("--timers", "scalable")]
    [InlineData("--engine", "embedded")]
    public async Task WithTimersOrEngine_KindsAreCompared(params string[] arguments)
    {
        await ReadAsync(arguments);

        Assert.Null(_comparison);
        Assert.Equal(TimeSpan.FromSeconds(1.5), _kinds!.Duration);
        Assert.Equal(0.05, _kinds.Mix.Slow);
    }

    [Theory]
    [InlineData("--kill-after", "5s")]
    [InlineData("--static-timers", "stock")]
    public async Task WithWhatOnlyKindsHave_KindsAreCompared(params string[] arguments)
    {
        SkipWithoutOrleans();
        await ReadAsync(arguments);

        Assert.Null(_comparison);
        Assert.NotNull(_kinds);
    }

    [Fact]
    public async Task WithOptionsOfTheBank_EachRoundGetsThem()
    {
        SkipWithoutOrleans();
        await ReadAsync("--duration", "1s", "--accounts", "77", "--slow", "0.5", "--recovery", "fast", "--silos", "1");

        Assert.Equal("1s", ValueOf("--duration"));
        Assert.Equal("1s", ValueOf("--warm-up"));
        Assert.Equal("77", ValueOf("--accounts"));
        Assert.Equal("0.5", ValueOf("--slow"));
        Assert.Equal("fast", ValueOf("--recovery"));
        Assert.Equal([1], _comparison!.Silos);
    }

    private static void SkipWithoutOrleans() => Assert.SkipUnless(HasOrleans, "This build is without Orleans.");

    private string ValueOf(string option)
    {
        var index = _comparison!.RoundArguments.ToList().IndexOf(option);
        Assert.True(index >= 0, $"{option} is not handed on.");
        return _comparison.RoundArguments[index + 1];
    }

    private async Task ReadAsync(params string[] arguments)
    {
        var command = new DemoCommand().Build(
            (options, _) =>
            {
                _kinds = options;
                return Task.FromResult(0);
            },
            (options, _) =>
            {
                _comparison = options;
                return Task.FromResult(0);
            });
        var commandLine = command.Parse(arguments);
        Assert.Empty(commandLine.Errors);
        Assert.Equal(0, await commandLine.InvokeAsync(cancellationToken: TestContext.Current.CancellationToken));
    }
}
