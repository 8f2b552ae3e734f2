namespace TransactionsDemo.Report.Html;

/// <summary>A drawing with two axes: what is the same in all charts.</summary>
internal static class Frame
{
    public const double Width = 830;
    public const double Left = 66;
    public const double Right = 606;
    public const double Top = 14;

    /// <summary>Puts a chart into its axes.</summary>
    /// <param name="title">What it shows, also for those who cannot see it.</param>
    /// <param name="bottom">Where the horizontal axis is.</param>
    /// <param name="x">The horizontal axis.</param>
    /// <param name="xName">What it means.</param>
    /// <param name="y">The vertical axis; null for none.</param>
    /// <param name="content">What is drawn between the axes.</param>
    public static string Draw(
        string title, double bottom, Axis x, string xName, Axis? y, IEnumerable<string> content) => Svg.Lines(
    [
        "<figure>",
        $"<figcaption>{Svg.Text(title)}</figcaption>",
        $"""<svg class="chart" viewBox="0 0 {Svg.Number(Width)} {Svg.Number(bottom + 42)}" role="img" """
        + $"""aria-label="{Svg.Text(title)}">""",
        .. x.Marks.SelectMany(mark => new[]
        {
            $"""<path class="grid" d="M{Svg.Number(x.At(mark))},{Svg.Number(Top)}V{Svg.Number(bottom)}"/>""",
            Svg.Label(x.At(mark), bottom + 15, Axis.TextOf(mark), "middle"),
        }),
        .. (y?.Marks ?? []).SelectMany(mark => new[]
        {
            $"""<path class="grid" d="M{Svg.Number(Left)},{Svg.Number(y!.At(mark))}H{Svg.Number(Right)}"/>""",
            Svg.Label(Left - 6, y.At(mark) + 4, Axis.TextOf(mark), "end"),
        }),
        $"""<path class="axis" d="M{Svg.Number(Left)},{Svg.Number(Top)}V{Svg.Number(bottom)}H{Svg.Number(Right)}"/>""",
        Svg.Label((Left + Right) / 2, bottom + 34, xName, "middle", "axis-name"),
        .. content,
        "</svg>",
        "</figure>",
    ]);
}
