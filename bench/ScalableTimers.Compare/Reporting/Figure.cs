using System.Globalization;

namespace ScalableTimers.Compare.Reporting;

/// <summary>Formats numbers with as many digits as are significant.</summary>
internal static class Figure
{
    internal static string Text(double value)
    {
        if (double.IsNaN(value))
        {
            return "";
        }

        var text = value.ToString(
            Math.Abs(value) < 10 ? "0.##" : Math.Abs(value) < 100 ? "0.#" : "N0", CultureInfo.InvariantCulture);
        return text == "-0" ? "0" : text;
    }
}
