using System.Globalization;
using System.Net;

namespace ScalableTimers.Compare.Charts;

/// <summary>What all charts are drawn on: white paper with a title.</summary>
internal static class SvgPage
{
    internal const int Width = 760;

    /// <param name="title">Stands above, and is read out.</param>
    /// <param name="height">Of the page, whose width is <see cref="Width"/>.</param>
    /// <param name="drawn">What is drawn below the title, which takes 30 units.</param>
    internal static string Of(string title, int height, string drawn) => string.Create(
        CultureInfo.InvariantCulture,
        $"""
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {Width} {height}" role="img"
         font-family="sans-serif" font-size="12">
        <title>{Encoded(title)}</title>
        <rect width="{Width}" height="{height}" fill="#fff"/>
        <text x="8" y="22" font-size="14" font-weight="bold">{Encoded(title)}</text>
        {drawn}</svg>

        """);

    internal static string Encoded(string text) => WebUtility.HtmlEncode(text);
}
