using System.Diagnostics;

namespace TransactionsDemo.CommandLine;

/// <summary>Starts this program in another process.</summary>
internal static class OwnProgram
{
    /// <summary>Start information for a process whose output is read.</summary>
    public static ProcessStartInfo StartInfo(IEnumerable<string> arguments)
    {
        var program = Environment.ProcessPath!;
        var assembly = typeof(OwnProgram).Assembly.Location;
        var isHost = Path.GetFileNameWithoutExtension(program) != Path.GetFileNameWithoutExtension(assembly);
        return new ProcessStartInfo(program, isHost ? [assembly, .. arguments] : arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
    }
}
