using System.CommandLine;
using Cluster.Faults;
using Cluster.Silos;

namespace Cluster;

/// <summary>The command line.</summary>
internal static class ClusterCommand
{
    private const string Both = "both";

    public static RootCommand Build()
    {
        var faults = new Option<string[]>("--faults")
        {
            Description = "all, or some of these, with commas; kill by default: " + string.Join(
                "; ", Scenario.All.Select(static scenario => $"{scenario.Name} ({scenario.What})")),
            HelpName = "NAMES",
            DefaultValueFactory = static _ => ["kill"],
            CustomParser = static result =>
            {
                string[] names = [.. result.Tokens.SelectMany(static token => token.Value.Split(','))];
                foreach (var name in names.Except(["all", .. Scenario.All.Select(static each => each.Name)]))
                {
                    result.AddError($"--faults {name}: there is no such scenario.");
                }

                return names;
            },
        };
        var variant = Choice("--variant", "Orleans alone, or with the plugin.", "stock", "plugin");
        var preset = Choice("--preset", "Orleans' defaults, or the values of fast recovery.", "defaults", "fast");
        var quick = new Option<bool>("--quick") { Description = "Each scenario does only the first of its things." };
        var isLong = new Option<bool>("--long") { Description = "Ten minutes for all rounds of a scenario." };
        var report = new Option<FileInfo?>("--report")
        {
            Description = "File for a page with charts. If it ends with .md: the tables, with charts beside it.",
            HelpName = "FILE",
        };
        var postgres = new Option<string>("--postgres")
        {
            Description = "How to connect to a PostgreSQL database. EVERYTHING in it is deleted.",
            HelpName = "CONNECTION",
            Required = true,
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

        var command = new RootCommand("Three silos, each a process, on PostgreSQL, under load, while something breaks.")
        {
            faults, variant, preset, quick, isLong, report, postgres, server, silo,
        };
        command.SetAction((result, cancellation) => ClusterDemo.RunAsync(
            new ClusterSettings(
                [.. Scenario.All.Where(
                    scenario => result.GetRequiredValue(faults).Intersect(["all", scenario.Name]).Any())],
                Chosen(result.GetRequiredValue(variant), "stock"),
                Chosen(result.GetRequiredValue(preset), "defaults"),
                result.GetValue(quick),
                result.GetValue(isLong),
                result.GetRequiredValue(postgres),
                result.GetValue(server) is [var script, var folder] ? new PostgresServer(script, folder) : null,
                result.GetValue(report)),
            cancellation));
        return command;
    }

    private static Option<string> Choice(string name, string description, string first, string second)
    {
        var option = new Option<string>(name) { Description = description, DefaultValueFactory = static _ => Both };
        option.AcceptOnlyFromAmong(first, second, Both);
        return option;
    }

    /// <summary>False means the first choice.</summary>
    private static bool[] Chosen(string choice, string first) =>
        choice == Both ? [false, true] : [choice != first];
}
