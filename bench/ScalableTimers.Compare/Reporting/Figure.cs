using System.Globalization;

namespace ScalableTimers.Compare.Reporting;

/// <summary>How numbers are written: with as many digits as mean something.</summary>
internal static class Figure
{
    internal static string Text(double value) =>
        double.IsNaN(value) ? "" : value.ToString(Math.Abs(value) < 10 ? "0.##" : Math.Abs(value) < 100 ? "0.#" : "N0", CultureInfo.InvariantCulture);
}
