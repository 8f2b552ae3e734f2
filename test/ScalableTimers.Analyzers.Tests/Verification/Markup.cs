using System.Text;
using Microsoft.CodeAnalysis.Text;

namespace ScalableTimers.Analyzers.Tests.Verification;

/// <summary>A source in which <c>[|…|]</c> marks each finding.</summary>
internal sealed class Markup
{
    internal Markup(string marked)
    {
        var code = new StringBuilder();
        var starts = new Stack<int>();
        var spans = new List<TextSpan>();
        for (var i = 0; i < marked.Length; i++)
        {
            switch (marked.AsSpan(i))
            {
                case ['[', '|', ..]:
                    starts.Push(code.Length);
                    i++;
                    break;
                case ['|', ']', ..]:
                    spans.Add(TextSpan.FromBounds(starts.Pop(), code.Length));
                    i++;
                    break;
                default:
                    code.Append(marked[i]);
                    break;
            }
        }

        Code = code.ToString();
        Spans = [.. spans.Order()];
    }

    internal string Code { get; }

    internal IReadOnlyList<TextSpan> Spans { get; }
}
