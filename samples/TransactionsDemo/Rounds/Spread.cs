using System.Globalization;

namespace TransactionsDemo.Rounds;

/// <summary>The median, minimum and maximum over the rounds. NaN without any.</summary>
internal readonly record struct Spread(double Median, double Least, double Most)
{
    public static Spread Of(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Where(double.IsFinite).Order()];
        return sorted.Length == 0
            ? new Spread(double.NaN, double.NaN, double.NaN)
            : new Spread((sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2, sorted[0], sorted[^1]);
    }

    /// <summary>Formats the spread as in "1.35 (1.27 to 1.43)".</summary>
    public string ToString(string format)
    {
        string Text(double value) => value.ToString(format, CultureInfo.InvariantCulture);
        return double.IsNaN(Median) ? "-" : $"{Text(Median)} ({Text(Least)} to {Text(Most)})";
    }
}
