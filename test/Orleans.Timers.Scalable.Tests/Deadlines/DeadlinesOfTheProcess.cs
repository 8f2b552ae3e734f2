using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Registers the filters of deadlines in this process, so that tests without a silo may begin one.</summary>
internal static class DeadlinesOfTheProcess
{
#pragma warning disable CA2255 // Tests run in any order, even before the first silo.
    [ModuleInitializer]
    internal static void Register()
    {
        CallCancellationBuilderExtensions.AddTo(new ServiceCollection());
    }
#pragma warning restore CA2255
}
