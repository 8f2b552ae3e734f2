using System.Diagnostics;
using Spectre.Console;

namespace TransactionsDemo.Report;

/// <summary>
/// Shows what is going on and how long it will still take: on a terminal as it changes, elsewhere a line now and then.
/// </summary>
internal sealed class ProgressDisplay(IAnsiConsole console, RemainingTime remaining, ProgressStyle style)
{
    private static readonly TimeSpan s_linePeriod = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_drawPeriod = TimeSpan.FromSeconds(0.5);

    private readonly bool _isLive = console.Profile.Capabilities.Interactive;

    /// <summary>Runs a step under a title.</summary>
    /// <param name="title">What is going on.</param>
    /// <param name="work">The work. It gets an action that shows how far it is.</param>
    /// <param name="summary">Describes the result.</param>
    public async Task<T> ShowAsync<T>(string title, Func<Action<string>, Task<T>> work, Func<T, string> summary)
    {
        T result;
        try
        {
            result = _isLive
                ? await console.Status().StartAsync(
                    Markup.Escape($"{title}; {remaining}"), context => ShowLiveAsync(context, title, work))
                : await work(ShowWithoutTerminal(title));
        }
        finally
        {
            remaining.FinishStep();
        }

        if (style != ProgressStyle.Nothing)
        {
            console.WriteLine($"{title}: {summary(result)}");
        }

        return result;
    }

    /// <summary>Drawn anew also while nothing changes but the time.</summary>
    private async Task<T> ShowLiveAsync<T>(StatusContext context, string title, Func<Action<string>, Task<T>> work)
    {
        var shown = title;
        await using var clock = new Timer(Draw, null, s_drawPeriod, s_drawPeriod);
        return await work(state =>
        {
            shown = $"{title}: {state}";
            Draw(null);
        });

        void Draw(object? _) => context.Status(Markup.Escape($"{shown}; {remaining}"));
    }

    private Action<string> ShowWithoutTerminal(string title) => style switch
    {
        ProgressStyle.NowAndThen => WriteNowAndThen(title),
        ProgressStyle.EveryChange => WriteLine,
        _ => Ignore,
    };

    private static void Ignore(string state)
    {
    }

    // Not through the console, which would break long ones.
    private static void WriteLine(string state) => Console.WriteLine(ProgressLine.Write(state));

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
