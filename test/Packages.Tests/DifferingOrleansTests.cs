using System.Collections.Concurrent;

namespace Packages.Tests;

/// <summary>Silos with the plugin start and work on an Orleans that differs in what is public but may change.</summary>
public sealed class DifferingOrleansTests(PackedPackages packages)
{
    private const string Transactional = "Orleans.Transactions.Abstractions.";

    /// <summary>What is renamed or has a new member, and the part that is left to Orleans.</summary>
    private static readonly (string Difference, string? Left)[] s_differences =
    [
        ("nothing", null),
        ("renamed Orleans.Runtime.Diagnostics.GrainLifecycleEvents", "Deactivations"),
        ("renamed Orleans.Runtime.Diagnostics.GrainLifecycleEvents/Deactivating", "Deactivations"),
        ("member Orleans.Transactions.ITransactionAgent", "Transaction agent"),
        ("default Orleans.Transactions.ITransactionAgent", "Transaction agent"),
        ($"member {Transactional}ITransactionalStateFactory", "Transactional states"),
        ($"member {Transactional}ITransactionalState`1", "Transactional states"),
        ($"member {Transactional}ITransactionCommitterFactory", "Superseded timers of transactions"),
        ($"member {Transactional}INamedTransactionalStateStorageFactory", "Fencing"),
        ($"member {Transactional}ITransactionalStateStorage`1", "Fencing"),
        ($"default {Transactional}ITransactionalStateStorage`1", "Fencing"),
        ($"member {Transactional}ITransactionManagerExtension", "Presumed aborts"),
        ($"member {Transactional}ITransactionalResourceExtension", "Abandoned requests"),
    ];

    // On the Orleans as it is, one package and one call for each part suffice.
    // Seen to fail for each without the checks: the silos did not start, or no transfer ended. With a check that only
    // prepares methods, no activation started when one event had been renamed.
    [Fact]
    public async Task Silos_OnAnOrleansThatDiffers_StartWithThatPartLeftToOrleans()
    {
        var program = await packages.Create("WholeSilo");
        await program.InstallOther("Microsoft.Orleans.Server");
        await program.Install(PackedPackages.Transactions);
        await program.InstallOther("Microsoft.Orleans.Transactions");
        Assert.Empty(await program.Build());

        // Silos mostly wait, so several programs run at once.
        var wrong = new ConcurrentBag<string>();
        await Parallel.ForEachAsync(
            Enumerable.Range(0, s_differences.Length),
            new ParallelOptions { MaxDegreeOfParallelism = 4 },
            async (number, _) =>
            {
                var (difference, left) = s_differences[number];
                Write(difference, program.Output, program.Copy(number));
                var output = await program.StartCopy(number);
                if (!output.Contains("The balances are -10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10.", StringComparison.Ordinal)
                    || !output.Contains("The silos have stopped.", StringComparison.Ordinal)
                    || output.Contains("left to Orleans, because", StringComparison.Ordinal) != (left is not null)
                    || !output.Contains(left ?? "Static timers: served.", StringComparison.Ordinal))
                {
                    wrong.Add($"{difference}:\n{output}");
                }
            });

        Assert.True(wrong.IsEmpty, string.Join("\n\n", wrong));
    }

    private static void Write(string difference, string from, string to)
    {
        using var orleans = new DifferingOrleans(from);
        var (kind, type) = (difference.Split(' ')[0], difference.Split(' ')[^1]);
        switch (kind)
        {
            case "renamed":
                orleans.Rename(type);
                break;
            case "member" or "default":
                orleans.AddMember(type, hasBody: kind == "default");
                break;
        }

        orleans.WriteTo(to);
    }
}
