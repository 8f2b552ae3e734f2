using System.Diagnostics;
using Spectre.Console;

namespace TransactionsDemo.Report;

/// <summary>Shows the progress: continuously on a terminal, and elsewhere by a line now and then.</summary>
internal sealed class ProgressDisplay(IAnsiConsole console)
{
    private static readonly TimeSpan s_linePeriod = TimeSpan.FromSeconds(5);

    private readonly bool _isLive = console.Profile.Capabilities.Interactive;

    /// <summary>Runs work under a title.</summary>
    /// <param name="title">The title of the work.</param>
    /// <param name="work">The work. It gets an action that shows how far it is.</param>
    /// <param name="summary">Describes the result.</param>
    public async Task<T> ShowAsync<T>(string title, Func<Action<string>, Task<T>> work, Func<T, string> summary)
    {
        var text = Markup.Escape(title);
        var result = _isLive
            ? await console.Status().StartAsync(
                text, context => work(state => context.Status($"{text}: {Markup.Escape(state)}")))
            : await work(WriteNowAndThen(title));
        console.WriteLine($"{title}: {summary(result)}");
        return result;
    }

    private Action<string> WriteNowAndThen(string title)
    {
        var lastAt = Stopwatch.GetTimestamp();
        return state =>
        {
            if (Stopwatch.GetElapsedTime(lastAt) > s_linePeriod)
            {
                lastAt = Stopwatch.GetTimestamp();
                console.WriteLine($"{title}: {state}");
            }
        };
    }
}
