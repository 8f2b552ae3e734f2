using System.Text;

namespace TransactionsDemo.Tests.Report;

/// <summary>Keeps what is written, and lets a test wait for it. From any thread.</summary>
internal sealed class WatchedWriter : TextWriter
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    private readonly Lock _lock = new();
    private readonly StringBuilder _written = new();
    private TaskCompletionSource _changed = New();

    public override Encoding Encoding => Encoding.UTF8;

    public override void Write(char value) => Write(value.ToString());

    public override void Write(string? value)
    {
        TaskCompletionSource changed;
        lock (_lock)
        {
            _written.Append(value);
            (changed, _changed) = (_changed, New());
        }

        changed.SetResult();
    }

    public override string ToString()
    {
        lock (_lock)
        {
            return _written.ToString();
        }
    }

    /// <summary>Waits until a text has been written, or fails.</summary>
    public async Task WaitForAsync(string text)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(s_limit);
        while (true)
        {
            Task changed;
            lock (_lock)
            {
                changed = _changed.Task;
            }

            if (ToString().Contains(text, StringComparison.Ordinal))
            {
                return;
            }

            // What is written goes on changing, so the limit is for all of it.
            Assert.False(limit.IsCancellationRequested, $"Waited {s_limit.TotalSeconds} s for \"{text}\".");
            await changed.WaitAsync(limit.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private static TaskCompletionSource New() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
