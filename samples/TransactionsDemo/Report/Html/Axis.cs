using System.Globalization;

namespace TransactionsDemo.Report.Html;

/// <summary>Turns values into pixels, evenly or by their logarithm, and knows where its marks are.</summary>
internal sealed class Axis
{
    private const int AboutMarks = 5;

    private readonly double _from;
    private readonly double _to;
    private readonly double _firstPixel;
    private readonly double _lastPixel;
    private readonly bool _isLogarithmic;

    private Axis(double from, double to, double firstPixel, double lastPixel, bool isLogarithmic)
    {
        (_from, _to, _firstPixel, _lastPixel) = (from, to > from ? to : from + 1, firstPixel, lastPixel);
        _isLogarithmic = isLogarithmic;
    }

    /// <summary>Where it is marked, rising.</summary>
    public IEnumerable<double> Marks => _isLogarithmic ? Powers() : Steps();

    /// <summary>From the least to the most of some values, and 0.</summary>
    public static Axis Linear(IEnumerable<double> values, double firstPixel, double lastPixel)
    {
        var all = values.Append(0).ToList();
        return new Axis(all.Min(), all.Max() * 1.05, firstPixel, lastPixel, isLogarithmic: false);
    }

    /// <summary>Between powers of ten, from the least value if that is not too small, to the most.</summary>
    public static Axis Logarithmic(IEnumerable<double> values, double least, double firstPixel, double lastPixel)
    {
        var all = values.Select(value => Math.Max(value, least)).DefaultIfEmpty(least).ToList();
        return new Axis(
            Math.Floor(Math.Log10(all.Min())),
            Math.Ceiling(Math.Log10(all.Max())),
            firstPixel,
            lastPixel,
            isLogarithmic: true);
    }

    public double At(double value)
    {
        var position = _isLogarithmic ? Math.Log10(Math.Max(value, double.Epsilon)) : value;
        var share = Math.Clamp((position - _from) / (_to - _from), 0, 1);
        return _firstPixel + (share * (_lastPixel - _firstPixel));
    }

    public static string TextOf(double mark) => mark.ToString("#,0.###", CultureInfo.InvariantCulture);

    private IEnumerable<double> Powers()
    {
        for (var power = _from; power <= _to; power++)
        {
            yield return Math.Pow(10, power);
        }
    }

    private IEnumerable<double> Steps()
    {
        var rough = (_to - _from) / AboutMarks;
        var power = Math.Pow(10, Math.Floor(Math.Log10(rough)));
        var step = power * new[] { 1, 2, 5, 10 }.First(factor => factor * power >= rough);
        for (var index = Math.Ceiling(_from / step); index * step <= _to; index++)
        {
            // Plus 0, so that there is no -0.
            yield return (index * step) + 0.0;
        }
    }
}
