using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Orleans.Timers.Scalable;

/// <summary>What a caller knows of the message of its call.</summary>
/// <param name="Id">The message's number, which is unique to the caller's process.</param>
/// <param name="Sender">The grain or client that sent the message.</param>
/// <param name="Target">The grain that was called.</param>
/// <param name="Silo">The silo that the message was sent to, as text to parse; null if it is not known.</param>
/// <param name="Forwards">How often the message was forwarded; null if that is not known.</param>
/// <param name="Retries">How often sending was tried again; null if that is not known.</param>
internal sealed record SentCall(
    string Id, string Sender, string Target, string? Silo, int? Forwards = null, int? Retries = null)
{
    private const string Begin = "Response did not arrive on time in ";
    private const string Middle = " for message: ";
    private const string Request = "Request [";
    private const string Arrow = "]->[";
    private const string Forwarded = "[ForwardCount=";
    private const int IdLength = 16;

    /// <summary>
    /// Reads Orleans' exception for a call that timed out, which quotes the call's message. Orleans tells that message
    /// nowhere else.
    /// </summary>
    /// <param name="text">The message of the exception.</param>
    /// <param name="sender">The calling grain; null for a client.</param>
    /// <param name="target">The grain that was called.</param>
    /// <param name="timeout">The response timeout.</param>
    /// <param name="call">The call.</param>
    /// <returns>
    /// Whether the exception is about a message from this sender to this target. If it is not, the callee may have let
    /// an exception of a call of its own through.
    /// </returns>
    internal static bool TryRead(
        string text,
        GrainId? sender,
        GrainId target,
        out TimeSpan timeout,
        [NotNullWhen(true)] out SentCall? call)
    {
        call = null;
        timeout = default;
        var middle = text.IndexOf(Middle, StringComparison.Ordinal);
        if (!text.StartsWith(Begin, StringComparison.Ordinal)
            || middle < 0
            || !TimeSpan.TryParse(text.AsSpan(Begin.Length, middle - Begin.Length), null, out timeout))
        {
            return false;
        }

        var from = text.IndexOf(Request, middle, StringComparison.Ordinal) + Request.Length;
        var arrow = text.IndexOf(Arrow, middle, StringComparison.Ordinal);
        var name = target.ToString();
        var to = arrow < 0 ? -1 : text.IndexOf($" {name}]", arrow, StringComparison.Ordinal);
        if (from < Request.Length || arrow < from || to < 0)
        {
            return false;
        }

        // Each side is an address, which may be missing, a space and a grain.
        var address = text[(arrow + Arrow.Length)..to];
        var space = text.IndexOf(' ', from, arrow - from);
        if (address.Contains(' ', StringComparison.Ordinal) || space < 0)
        {
            return false;
        }

        var sent = text[(space + 1)..arrow];
        if (sender is null ? !IsClient(sent) : sent != sender.ToString())
        {
            return false;
        }

        // The arguments of the call come before the number and may look like one, so the last one counts.
        var end = text.LastIndexOf(" Last known status is ", StringComparison.Ordinal);
        var number = text.LastIndexOf(" #", end < 0 ? text.Length - 1 : end, StringComparison.Ordinal) + 2;
        if (number < 2
            || number + IdLength > text.Length
            || !long.TryParse(text.AsSpan(number, IdLength), NumberStyles.HexNumber, null, out _))
        {
            return false;
        }

        call = new SentCall(
            text.Substring(number, IdLength),
            sent,
            name,
            SiloOf(address),
            ForwardsAfter(text.AsSpan(number + IdLength)));
        return true;
    }

    private static bool IsClient(string sender) => GrainId.TryParse(sender, null, out var id) && id.IsClient();

    /// <summary>Returns the silo of an address as Orleans prints it, as text to parse; null if there is none.</summary>
    /// <example>S127.0.0.1:11111:123456</example>
    private static string? SiloOf(string address)
    {
        var generation = address.LastIndexOf(':');
        return address.StartsWith('S') && generation > 0
            && SiloAddress.TryParse(
                $"{address.AsSpan(1, generation - 1)}@{address.AsSpan(generation + 1)}", null, out var silo)
            ? SiloOf(silo)
            : null;
    }

    /// <summary>
    /// Returns a silo as text to parse; null if there is none. A client's message names its gateway, as a silo of the
    /// generation 0, and that is not where the target is.
    /// </summary>
    internal static string? SiloOf(SiloAddress? silo) => silo is { Generation: not 0 } ? silo.ToParsableString() : null;

    private static int ForwardsAfter(ReadOnlySpan<char> text) =>
        text.StartsWith(Forwarded, StringComparison.Ordinal)
        && text.IndexOf(']') is var end
        && int.TryParse(text[Forwarded.Length..end], CultureInfo.InvariantCulture, out var forwards)
            ? forwards
            : 0;
}
