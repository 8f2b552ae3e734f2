using ScalableTimers.Analyzers.Callbacks;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM003.</summary>
public class AsyncVoidCallbackTests
{
    // Seen to fail, for the timers of .NET and of other providers, when it does not matter whose method it is.
    [Theory]
    [InlineData("timers.Schedule([|async _ => await work()|], null, time);")]
    [InlineData("timers.Schedule(state: null, dueTime: time, callback: [|static async _ => await Task.Yield()|]);")]
    [InlineData("timers?.Schedule(([|async _ => { await work(); }|]), null, time);")]
    [InlineData("timers.Schedule([|async delegate { await work(); }|], null, time);")]
    [InlineData("timers.Schedule((TimerCallback)([|async _ => await work()|]), null, time);")]
    [InlineData("timers.Schedule(new TimerCallback([|async _ => await work()|]), null, time);")]
    [InlineData("timers.Schedule([|Method|], null, time);")]
    [InlineData("timers.Schedule([|this.Method|], null, time);")]
    [InlineData("timers.Schedule(new TimerCallback([|Method|]), null, time);")]
    [InlineData("timers.Schedule([|Local|], null, time); async void Local(object? state) => await work();")]
    [InlineData("services.AddScalableTimers([|async _ => await work()|]);")]
    [InlineData("timers.TimeProvider.CreateTimer([|async _ => await work()|], null, time, time);")]
    [InlineData("timers?.TimeProvider.CreateTimer([|Method|], null, time, time);")]
    [InlineData("timers.Schedule(_ => { }, null, time);")]
    [InlineData("timers.Schedule(_ => _ = work(), null, time);")]
    [InlineData("timers.Schedule(_ => Task.Run(async () => await work()), null, time);")]
    [InlineData("timers.Schedule(NotAsync, null, time);")]
    [InlineData("timers.TimeProvider.CreateTimer(_ => { }, null, time, time);")]
    [InlineData("TimerCallback kept = async _ => await work(); timers.Schedule(kept, null, time);")]
    [InlineData("var timer = new Timer(async _ => await work(), null, time, time);")]
    [InlineData("var timer = new Timer(Method, null, time, time);")]
    [InlineData("clock.CreateTimer(async _ => await work(), null, time, time);")]
    [InlineData("TimeProvider.CreateTimer(async _ => await work(), null, time, time);")]
    public Task Callback_OnlyIfAsyncVoid_IsFound(string statements) => Finds(
        $$"""
        public class C(TimerService timers, TimeProvider clock)
        {
            private TimeProvider TimeProvider => clock;

            public void M(
                Func<Task> work, TimeSpan time, Microsoft.Extensions.DependencyInjection.IServiceCollection services)
            {
                {{statements}}
            }

            private async void Method(object? state) => await Task.Yield();

            private void NotAsync(object? state) { }
        }
        """);

    // Where the method is declared matters, not its name. Seen to fail for the inner namespaces when they are not
    // searched upwards, and for a Func<Task> when an async function counts whatever it returns.
    // Seen to fail for Company.ScalableTimers when only a namespace's last name is compared.
    [Theory]
    [InlineData("ScalableTimers", true)]
    [InlineData("ScalableTimers.Inner", true)]
    [InlineData("Orleans.Timers.Scalable", true)]
    [InlineData("Orleans.Timers.Scalable.Inner", true)]
    [InlineData("Company", false)]
    [InlineData("Company.ScalableTimers", false)]
    [InlineData("Orleans.Timers", false)]
    public Task Callback_ForAnyMethodOfThePackages_IsFound(string space, bool isFound) => Finds(isFound
        ? CallbacksForMethodsIn(space)
        : CallbacksForMethodsIn(space)
            .Replace("[|", "", StringComparison.Ordinal)
            .Replace("|]", "", StringComparison.Ordinal));

    private static string CallbacksForMethodsIn(string space) =>
        $$"""
        using Declared = {{space}}.Declared;

        namespace {{space}}
        {
            public delegate void Callback<T>(T state);

            public class Declared(Action callback)
            {
                public Action Used => callback;

                public static void Static(Callback<int> callback) { }

                public void Generic<T>(Action<T> callback, T state) { }

                public void Overloaded(Action callback) { }

                public void Overloaded(Func<Task> callback) { }

                public void Asynchronous(Func<Task> callback, Func<int, ValueTask> other) { }

                public void Any(Delegate callback) { }

                public class Nested
                {
                    public void Method(Action callback) { }
                }
            }
        }

        public class C() : Declared([|async () => await Task.Yield()|])
        {
            public void M(Declared declared, Declared.Nested nested)
            {
                _ = new Declared([|async () => await Task.Yield()|]);
                _ = new Declared([|Method|]);
                Declared.Static([|async _ => await Task.Yield()|]);
                declared.Generic([|async state => await Task.Delay(state)|], 1);
                declared.Generic([|Method|], 1);
                declared.Generic<int>([|Method|], 1);
                nested.Method([|async () => await Task.Yield()|]);

                declared.Overloaded(async () => await Task.Yield());
                declared.Asynchronous(async () => await Task.Yield(), async _ => await Task.Yield());
                declared.Asynchronous(TaskMethod, async delegate { await Task.Yield(); });
                declared.Any(async () => await Task.Yield());
            }

            private static async void Method() => await Task.Yield();

            private static async void Method(int state) => await Task.Delay(state);

            private static async Task TaskMethod() => await Task.Yield();
        }
        """;

    private static Task Finds(string source) => Verify.FindsAsync<AsyncVoidCallbackAnalyzer>(source);
}
