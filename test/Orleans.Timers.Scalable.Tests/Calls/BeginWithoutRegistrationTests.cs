using System.Reflection;
using System.Runtime.Loader;

namespace Orleans.Timers.Scalable.Tests;

public sealed class BeginWithoutRegistrationTests
{
    // A second copy of the assembly has static fields of its own, in which nothing is registered.
    [Theory]
    [InlineData(typeof(GrainDeadline), "AddCallDeadlines")]
    [InlineData(typeof(CallTimeout), "AddCallTimeouts")]
    public void Begin_NothingIsRegisteredInTheProcess_NamesWhatToCall(Type scope, string method)
    {
        var copy = new AssemblyLoadContext(nameof(BeginWithoutRegistrationTests), isCollectible: true);
        try
        {
            var begin = copy.LoadFromAssemblyPath(scope.Assembly.Location)
                .GetType(scope.FullName!, throwOnError: true)!
                .GetMethod("Begin", [typeof(TimeSpan)])!;

            var error = Assert.Throws<TargetInvocationException>(() => begin.Invoke(null, [TimeSpan.FromSeconds(1)]));

            Assert.IsType<InvalidOperationException>(error.InnerException);
            Assert.Contains(method, error.InnerException.Message, StringComparison.Ordinal);
        }
        finally
        {
            copy.Unload();
        }
    }
}
