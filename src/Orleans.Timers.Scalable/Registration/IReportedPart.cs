namespace Orleans.Timers.Scalable.Registration;

/// <summary>A part of Orleans whose timers the plugin may take over; reported when a silo or client starts.</summary>
internal interface IReportedPart
{
    /// <summary>The part and its outcome: "Response timeouts: …". Known once its stage has passed.</summary>
    string Report { get; }
}
