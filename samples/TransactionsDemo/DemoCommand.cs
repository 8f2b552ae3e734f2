using System.CommandLine;
using TransactionsDemo.Rounds;

namespace TransactionsDemo;

/// <summary>The command line.</summary>
internal sealed class DemoCommand
{
    private readonly Option<bool> _quick = new("--quick")
    {
        Description = "One round with 1 s of warm-up and 1 s of load, unless asked for otherwise: does it all work?",
    };

    private readonly Option<int?> _rounds = Number("--rounds", "Rounds of both variants. Default: 2.", 1, 100);

    private readonly Option<int?> _warmUp = Number(
        "--warm-up", "Seconds of load before anything is measured. Default: 8.", 1, 3600);

    private readonly Option<int?> _duration = Number(
        "--duration", "Seconds of load that are measured in each round. Default: 7.", 1, 3600);

    private readonly Option<int?> _concurrency = Number(
        "--concurrency", "Transfers at a time. Default: 128.", 1, 10_000);

    private readonly Option<FileInfo?> _report = new("--report")
    {
        Description = "File to write a page with charts to.",
        HelpName = "FILE",
    };

    /// <param name="demo">What to do with valid options; returns the exit code.</param>
    public RootCommand Build(Func<DemoSettings, CancellationToken, Task<int>> demo)
    {
        var settings = new Argument<string>("settings");
        var round = new Command(RoundProcess.Command) { settings };
        round.Hidden = true;
        round.SetAction((result, _) => RoundProcess.RunHereAsync(result.GetRequiredValue(settings)));

        var command = new RootCommand(
            "A bank under load, on Orleans alone and with AddScalableTimers(). Takes two minutes.")
        {
            _quick, _rounds, _warmUp, _duration, _concurrency, _report, round,
        };
        _report.Validators.Add(static result =>
        {
            if (result.Tokens is [var file] && !Directory.Exists(Path.GetDirectoryName(Path.GetFullPath(file.Value))))
            {
                result.AddError($"--report {file.Value}: there is no such folder.");
            }
        });
        command.SetAction((result, cancellationToken) => demo(Read(result), cancellationToken));
        return command;
    }

    private DemoSettings Read(ParseResult result)
    {
        var isQuick = result.GetValue(_quick);
        return new DemoSettings(
            result.GetValue(_rounds) ?? (isQuick ? 1 : 2),
            TimeSpan.FromSeconds(result.GetValue(_warmUp) ?? (isQuick ? 1 : 8)),
            TimeSpan.FromSeconds(result.GetValue(_duration) ?? (isQuick ? 1 : 7)),
            result.GetValue(_concurrency) ?? 128,
            result.GetValue(_report));
    }

    private static Option<int?> Number(string name, string description, int from, int to) => new(name)
    {
        Description = description,
        HelpName = $"{from} to {to}",
        CustomParser = result =>
        {
            var text = result.Tokens[0].Value;
            if (int.TryParse(text, out var number) && number >= from && number <= to)
            {
                return number;
            }

            result.AddError($"{name} {text}: must be a whole number from {from} to {to}.");
            return null;
        },
    };
}
