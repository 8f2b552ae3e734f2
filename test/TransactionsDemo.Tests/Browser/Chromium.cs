using System.Diagnostics;
using System.Text.RegularExpressions;

namespace TransactionsDemo.Tests.Browser;

/// <summary>
/// Debian's Chromium, without a window and without a network. Where it is not installed, the test counts as skipped.
/// </summary>
internal sealed partial class Chromium : IAsyncDisposable
{
    private static readonly string[] s_names = ["chromium", "chromium-browser", "google-chrome"];

    private readonly Process _process;
    private readonly DirectoryInfo _profile;

    private Chromium(Process process, DirectoryInfo profile, Uri address) =>
        (_process, _profile, Address) = (process, profile, address);

    /// <summary>Where it takes commands.</summary>
    public Uri Address { get; }

    /// <summary>Starts it.</summary>
    public static async Task<Chromium> StartAsync()
    {
        var program = Environment.GetEnvironmentVariable("PATH")!.Split(Path.PathSeparator)
            .SelectMany(static folder => s_names.Select(name => Path.Combine(folder, name)))
            .FirstOrDefault(File.Exists);
        Assert.SkipWhen(program is null, "Chromium was not found (on Debian: apt-get install chromium).");

        var profile = Directory.CreateTempSubdirectory("chromium-");
        var start = new ProcessStartInfo(program!)
        {
            RedirectStandardError = true,
            RedirectStandardOutput = true,
            ArgumentList =
            {
                "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-port=0",
                "--host-resolver-rules=MAP * ~NOTFOUND", $"--user-data-dir={profile.FullName}",
            },
        };
        if (Environment.UserName == "root")
        {
            // Chromium refuses to be root with it.
            start.ArgumentList.Add("--no-sandbox");
        }

        start.ArgumentList.Add("about:blank");
        var process = Process.Start(start)!;
        return new Chromium(process, profile, await ReadAddressAsync(process));
    }

    public async ValueTask DisposeAsync()
    {
        _process.Kill(entireProcessTree: true);
        await _process.WaitForExitAsync();
        _process.Dispose();
        try
        {
            _profile.Delete(recursive: true);
        }
        catch (IOException)
        {
            // A process of its has been writing to it. The folder is a temporary one.
        }
    }

    /// <summary>Goes on reading what it writes now and then: it would stop if nobody did.</summary>
    private static async Task<Uri> ReadAddressAsync(Process process)
    {
        var address = new TaskCompletionSource<Uri>(TaskCreationOptions.RunContinuationsAsynchronously);
        process.ErrorDataReceived += (_, written) =>
        {
            if (AddressLine().Match(written.Data ?? string.Empty) is { Success: true } match)
            {
                address.TrySetResult(new Uri(match.Groups["address"].Value));
            }
        };
        process.OutputDataReceived += static (_, _) => { };
        process.BeginErrorReadLine();
        process.BeginOutputReadLine();
        try
        {
            return await address.Task.WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
        }
        catch
        {
            process.Kill(entireProcessTree: true);
            throw;
        }
    }

    [GeneratedRegex("^DevTools listening on (?<address>ws://.*)$")]
    private static partial Regex AddressLine();
}
