using System.Text.Json;

namespace Orleans.Timers.Scalable;

/// <summary>The phases' names in figures: <c>lock_hold</c> and so on.</summary>
internal static class TransactionPhaseNames
{
    /// <summary>In the order of <see cref="TransactionPhase"/>.</summary>
    internal static readonly IReadOnlyList<string> All =
        [.. Enum.GetNames<TransactionPhase>().Select(JsonNamingPolicy.SnakeCaseLower.ConvertName)];
}
