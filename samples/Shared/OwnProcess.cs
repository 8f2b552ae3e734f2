using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Shared;

/// <summary>This program again, in another process, whose threads, memory and static state are its own.</summary>
internal static class OwnProcess
{
    // NaN stands for a meaningless figure.
    private static readonly JsonSerializerOptions s_json = new()
    {
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };

    /// <summary>How to start it. Its input and output are pipes.</summary>
    public static ProcessStartInfo With(params string[] arguments) =>
        new("dotnet", [typeof(OwnProcess).Assembly.Location, .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };

    /// <summary>Runs it to its end and returns what it has passed to <see cref="Report"/>.</summary>
    /// <param name="arguments">Its command line.</param>
    /// <param name="tell">Called with each other line that it prints.</param>
    /// <param name="cancellationToken">Ends the process.</param>
    /// <exception cref="InvalidOperationException">It has failed. Its errors have been shown.</exception>
    public static async Task<T> RunAsync<T>(
        string[] arguments, Action<string> tell, CancellationToken cancellationToken = default)
        where T : class
    {
        using var process = Process.Start(With(arguments))!;
        await using var ending = cancellationToken.Register(process.Kill);
        T? result = null;
        while (await process.StandardOutput.ReadLineAsync(cancellationToken) is { } line)
        {
            if (line.StartsWith('{'))
            {
                result = JsonSerializer.Deserialize<T>(line, s_json);
            }
            else
            {
                tell(line);
            }
        }

        await process.WaitForExitAsync(cancellationToken);
        return process.ExitCode == 0 && result is not null
            ? result
            : throw new InvalidOperationException(
                $"The process \"{string.Join(' ', arguments)}\" has failed with exit code {process.ExitCode}.");
    }

    public static void Report<T>(T result) => Console.WriteLine(JsonSerializer.Serialize(result, s_json));
}
