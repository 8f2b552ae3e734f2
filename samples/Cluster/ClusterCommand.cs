using System.CommandLine;
using Cluster.Faults;
using Cluster.Silos;

namespace Cluster;

/// <summary>The command line.</summary>
internal static class ClusterCommand
{
    private const string Both = "both";
    private const int Misused = 2;

    public static async Task<int> RunAsync(string[] args)
    {
        var parsed = Build().Parse(args);
        foreach (var error in parsed.Errors)
        {
            await Console.Error.WriteLineAsync(error.Message);
        }

        return parsed.Errors.Count == 0 ? await parsed.InvokeAsync() : Misused;
    }

    private static RootCommand Build()
    {
        string[] known = ["all", .. Scenario.All.Select(static scenario => scenario.Name)];
        var faults = new Option<string[]>("--faults")
        {
            Description = "What breaks: all, or some of these, with commas.\n" + string.Join(
                '\n', Scenario.All.Select(static scenario => $"{scenario.Name,-10} {scenario.What}.")),
            HelpName = "NAMES",
            DefaultValueFactory = static _ => ["kill"],
            CustomParser = result =>
            {
                string[] names = [.. result.Tokens.SelectMany(static token => token.Value.Split(','))];
                foreach (var name in names.Except(known))
                {
                    result.AddError($"--faults {name} is not one of {string.Join(", ", known)}.");
                }

                return names;
            },
        };
        var variant = Choice("--variant", "stock is Orleans alone; plugin is Orleans with it.", "stock", "plugin");
        var preset = Choice("--preset", "Orleans' defaults, or the values of fast recovery.", "defaults", "fast");
        var quick = new Option<bool>("--quick")
        {
            Description = "Each scenario does the first half of its things, in at most three minutes for each round.",
        };
        var isLong = new Option<bool>("--long")
        {
            Description = "The rounds of each scenario take at least ten minutes together, and repeat its things.",
        };
        var report = new Option<FileInfo?>("--report")
        {
            Description = "File for a page with charts. If it ends with .md: the tables, with charts beside it.",
            HelpName = "FILE",
        };
        report.Validators.Add(static result =>
        {
            var file = result.GetValueOrDefault<FileInfo?>();
            if (file is { Directory.Exists: false } || Directory.Exists(file?.FullName))
            {
                result.AddError($"--report {file} is not a file in an existing folder.");
            }
        });
        var postgres = new Option<string?>("--postgres")
        {
            Description = "How to connect to a PostgreSQL database, in which EVERYTHING is deleted. Without it, "
                + "the demo starts a server of its own.",
            HelpName = "CONNECTION",
        };
        var server = new Option<string[]?>("--server")
        {
            Hidden = true,
            Arity = new ArgumentArity(2, 2),
            AllowMultipleArgumentsPerToken = true,
        };
        var settings = new Argument<string>("settings");
        var silo = new Command(SiloProgram.Command) { settings };
        silo.Hidden = true;
        silo.SetAction((result, _) => SiloProgram.RunAsync(result.GetRequiredValue(settings)));

        var command = new RootCommand(
            "Run by ./demo.sh cluster: three silos, each a process, on PostgreSQL, under load, while something breaks. "
            + "Each combination of fault, preset and variant is a round of at most five minutes.")
        {
            faults, variant, preset, quick, isLong, report, postgres, server, silo,
        };
        command.Validators.Add(result =>
        {
            if (result.GetValue(quick) && result.GetValue(isLong))
            {
                result.AddError("--quick and --long exclude each other.");
            }

            if (result.GetValue(postgres) is null && result.GetValue(server) is null)
            {
                result.AddError("--postgres is missing. ./demo.sh cluster starts a server of its own.");
            }
        });
        command.SetAction((result, cancellation) => ClusterDemo.RunAsync(
            new ClusterSettings(
                [.. Scenario.All.Where(
                    scenario => result.GetRequiredValue(faults).Intersect(["all", scenario.Name]).Any())],
                Chosen(result.GetRequiredValue(variant), "stock"),
                Chosen(result.GetRequiredValue(preset), "defaults"),
                result.GetValue(quick),
                result.GetValue(isLong),
                result.GetValue(postgres),
                result.GetValue(postgres) is null && result.GetValue(server) is [var script, var folder]
                    ? new PostgresServer(script, folder)
                    : null,
                result.GetValue(report)),
            cancellation));
        return command;
    }

    private static Option<string> Choice(string name, string description, string first, string second)
    {
        var option = new Option<string>(name) { Description = description, DefaultValueFactory = static _ => Both };
        return option.AcceptOnlyFromAmong(Both, first, second);
    }

    /// <summary>False means the first choice.</summary>
    private static bool[] Chosen(string choice, string first) =>
        choice == Both ? [false, true] : [choice != first];
}
