namespace TransactionsDemo.Report.Html;

/// <summary>What a point is drawn as.</summary>
internal enum Marker
{
    Dot,
    Cross,
    Square,
    Triangle,
}
