using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// The text for a failed condition or a traced step. Usually the condition holds and nothing is traced. Then no text is
/// created, because this happens a hundred thousand times a second.
/// </summary>
[InterpolatedStringHandler]
internal readonly ref struct LazyText
{
    private readonly StringBuilder? _text;

    public LazyText(int literalLength, int formattedCount, bool condition, out bool isNeeded)
    {
        isNeeded = !condition;
        _text = condition ? null : new StringBuilder(literalLength + (16 * formattedCount));
    }

    public LazyText(int literalLength, int formattedCount, LogicalThread thread, out bool isNeeded)
        : this(literalLength, formattedCount, !thread.IsTraced, out isNeeded)
    {
    }

    public void AppendLiteral(string text) => _text!.Append(text);

    public void AppendFormatted<T>(T value) => _text!.Append(CultureInfo.InvariantCulture, $"{value}");

    public override string ToString() => _text?.ToString() ?? "";
}
