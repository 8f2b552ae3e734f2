using ScalableTimers.Analyzers.Grains;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM001: where a delay that throws when its activation ends would be worse than <c>Task.Delay</c>.</summary>
public class DelayPlacesTests
{
    private const string Wait = "await [|Task.Delay(1)|]";

    // Seen to fail with the fix that wrote Delay everywhere, like all tests of this class but the control.
    [Theory]
    [InlineData("while (true) { try { WAIT; } catch { } }")]
    [InlineData("do { try { WAIT; } catch (Exception e) { Log(e); } } while (!token.IsCancellationRequested);")]
    [InlineData("for (;;) { try { if (true) { WAIT; } } catch (OperationCanceledException) { continue; } }")]
    [InlineData("foreach (var i in new[] { 1, 2 }) { try { WAIT; } catch (TaskCanceledException) { } }")]
    [InlineData("while (true) { try { WAIT; } catch (Exception e) when (Log(e)) { } }")]
    [InlineData("while (true) { try { WAIT; } catch (Exception e) { if (Log(e)) { throw; } } }")]
    [InlineData("while (true) { try { try { WAIT; } catch { throw; } } catch (Exception e) { Log(e); } }")]
    [InlineData("while (true) { try { try { } finally { WAIT; } } catch (Exception e) { Log(e); } }")]
    [InlineData("while (true) { try { try { } catch { WAIT; } } catch (Exception e) { Log(e); } }")]
    [InlineData("while (true) { try { while (true) { WAIT; } } catch (Exception e) { Log(e); } }")]
    [InlineData("while (true) { while (true) { try { WAIT; } catch (Exception) { break; } } }")]
    [InlineData("while (true) { switch (1) { case 1: try { WAIT; } catch { break; } break; } }")]
    [InlineData("while (true) { try { await [|Task.Delay(1)|].ConfigureAwait(false); } "
        + "catch (OperationCanceledException) when (token.IsCancellationRequested) { break; } catch (Exception) { } }")]
    [InlineData("while (true) { await Task.WhenAny(Work(), [|Task.Delay(1)|]); }")]
    [InlineData("while (true) { var pause = [|Task.Delay(1)|]; await Task.WhenAny(Work(), pause); }")]
    [InlineData("while (true) { await [|Task.Delay(1)|].ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); }")]
    [InlineData("while (true) { try { await Task.Run(async () => { WAIT; }); } catch (Exception) { } }")]
    [InlineData("while (true) { try { await Inner(); } catch { } } async Task Inner() { WAIT; }")]
    [InlineData("await Inner(); async Task Inner() { while (true) { try { WAIT; } catch { } } }")]
    public Task Fix_LoopGoesOnAfterTheException_IsNotOffered(string statements) =>
        Verify.HasNoFixAsync(InGrain(statements), "use IGrainDelay.TryDelay, and leave the loop");

    // The control: the exception ends the loop, or there is none.
    [Theory]
    [InlineData("while (true) { WAIT; }")]
    [InlineData("try { WAIT; } catch (Exception e) { Log(e); }")]
    [InlineData("try { while (true) { WAIT; } } catch (Exception e) { Log(e); }")]
    [InlineData("while (true) { try { await Work(); } catch (Exception e) { Log(e); WAIT; } }")]
    [InlineData("while (true) { try { await Work(); } catch (Exception e) { Log(e); } WAIT; }")]
    [InlineData("while (true) { try { } finally { WAIT; } }")]
    [InlineData("while (true) { try { WAIT; } catch (TimeoutException) { } }")]
    [InlineData("while (true) { try { WAIT; } catch (Exception e) when (e is not OperationCanceledException) { } }")]
    [InlineData("while (true) { try { WAIT; } catch (OperationCanceledException) { throw; } catch (Exception) { } }")]
    [InlineData("while (true) { try { WAIT; } catch (OperationCanceledException) { break; } catch { } }")]
    [InlineData("while (true) { try { WAIT; } catch (Exception e) { Log(e); return; } }")]
    [InlineData("while (true) { try { async Task Later() { WAIT; } await Work(); } catch { } }")]
    public Task Fix_ExceptionEndsTheLoop_WritesDelay(string statements) => Writes("Delay", InGrain(statements));

    [Theory]
    [InlineData("public Task Command() => [|Task.Delay(1)|];")]
    [InlineData("public async Task Command() { WAIT; await Work(); }")]
    [InlineData("public async Task Command() { while (true) { WAIT; } }")]
    [InlineData("async Task ICommands.Command() { WAIT; await Work(); }")]
    [InlineData("[OneWay] public virtual async Task Command() { WAIT; await Work(); }")]
    [InlineData("public async Task Command() { await Inner(); async Task Inner() { WAIT; } }")]
    [InlineData("public async Task Command() => await Two(); async Task Two() { await Work(); await Three<int>(); } "
        + "async Task Three<T>() { WAIT; }")]
    [InlineData("public async Task Command() => await Pause; private Task Pause => [|Task.Delay(1)|];")]
    [InlineData("public Task Command() => Task.CompletedTask; "
        + "public async Task ReceiveReminder(string name, TickStatus status) { WAIT; await Work(); }")]
    [InlineData("public Task Command() => Task.CompletedTask; "
        + "Task IRemindable.ReceiveReminder(string name, TickStatus status) => [|Task.Delay(1)|];")]
    [InlineData("public Task Command() => Task.CompletedTask; public void Start() => "
        + "this.RegisterGrainTimer(async () => { WAIT; await Work(); }, TimeSpan.Zero, TimeSpan.Zero);")]
    [InlineData("public Task Command() => Task.CompletedTask; private async Task Tick(int state) { WAIT; } "
        + "public void Start() => this.RegisterGrainTimer(Tick, 1, TimeSpan.Zero, TimeSpan.Zero);")]
    [InlineData("public Task Command() => Task.CompletedTask; private async Task Tick(object? state) { WAIT; } "
        + "public void Start() => RegisterTimer(_ => Tick(null), null, TimeSpan.Zero, TimeSpan.Zero);")]
    public Task Fix_NobodyCallsAgain_IgnoresDeactivation(string members)
    {
        var source = Commands
            + "public class G(IGrainDelay delay) : Grain, ICommands, IRemindable\n{\n"
            + "    public object Used => delay;\n    private Task Work() => Task.CompletedTask;\n"
            + (members.Contains("ReceiveReminder", StringComparison.Ordinal)
                ? ""
                : "    public Task ReceiveReminder(string name, TickStatus status) => Task.CompletedTask;\n")
            + members.Replace("WAIT", Wait, StringComparison.Ordinal)
            + "\n}";
        return Writes(
            "DelayIgnoringDeactivation", source, "use IGrainDelay.DelayIgnoringDeactivation, since nobody");
    }

    // A method that others may call too counts as one that nobody calls again, and a loop that goes on stays one.
    [Fact]
    public Task Fix_AllInOneSolution_WritesWhatEachPlaceNeeds() => Verify.FixesAsync(
        Commands
        + """
        public class Base(IGrainDelay delay) : Grain, ICommands
        {
            protected IGrainDelay Waiting => delay;

            public virtual Task Command() => Task.CompletedTask;
        }

        public class G(IGrainDelay delay) : Base(delay)
        {
            public override async Task Command()
            {
        -        await [|Task.Delay(1)|];
        +        await Waiting.DelayIgnoringDeactivation(TimeSpan.FromMilliseconds(1));
                await Shared();
                while (true)
                {
                    try
                    {
                        await [|Task.Delay(2)|];
                    }
                    catch (Exception)
                    {
                    }
                }
            }

        -    public async Task Query() => await [|Task.Delay(3)|];
        +    public async Task Query() => await Waiting.Delay(TimeSpan.FromMilliseconds(3));

            public Task Other() => Shared();

        -    private async Task Shared() => await [|Task.Delay(4)|];
        +    private async Task Shared() => await Waiting.DelayIgnoringDeactivation(TimeSpan.FromMilliseconds(4));

            public override async Task OnDeactivateAsync(DeactivationReason reason, CancellationToken token)
            {
                await Flush();
                while (true)
                {
                    try
                    {
        -                await [|Task.Delay(5)|];
        +                await Waiting.DelayIgnoringDeactivation(TimeSpan.FromMilliseconds(5));
                    }
                    catch (Exception)
                    {
                    }
                }
            }

        -    private async Task Flush() => await [|Task.Delay(6)|];
        +    private async Task Flush() => await Waiting.DelayIgnoringDeactivation(TimeSpan.FromMilliseconds(6));
        }
        """);

    // A task that nobody awaits does not hold up deactivation. Seen to fail while Ignore counted as a use of the task.
    [Fact]
    public Task Delay_InATaskThatNobodyAwaits_IsNotFound() => Verify.FindsAsync<DelayInGrainAnalyzer>(
        InGrain(
            """
            _ = Task.Run(() => Task.Delay(1));
            Task.Run(async () => { await Task.Delay(1); Thread.Sleep(1); });
            _ = Task.Run(() => Later());
            Task.Run(() => Task.Delay(1)).Ignore();
            async Task Later() => await Task.Delay(1);
            await Task.Run(() => [|Task.Delay(1)|]);
            _task = Task.Run(() => [|Task.Delay(1)|]);
            """));

    private const string Commands =
        """
        public interface ICommands : IGrain
        {
            [OneWay]
            Task Command();
        }

        """;

    private static string InGrain(string statements) =>
        $$"""
        public class G(IGrainDelay delay) : Grain
        {
            private Task? _task;

            public async Task M(CancellationToken token)
            {
        {{statements.Replace("WAIT", Wait, StringComparison.Ordinal)}}
            }

            public object? Used => (delay, _task);

            private Task Work() => Task.CompletedTask;

            private bool Log(Exception exception) => exception is null;
        }
        """;

    private static Task Writes(string method, string source, string message = "") => Verify.FixesAsync(
        string.Join('\n', source.Split('\n')
        .SelectMany(line => !line.Contains("[|", StringComparison.Ordinal) ? [line] : new[]
        {
            '-' + line,
            '+' + line.Replace(
                "[|Task.Delay(1)|]",
                $"delay.{method}(TimeSpan.FromMilliseconds(1))" + (line.Contains(Wait, StringComparison.Ordinal)
                    ? ""
                    : ".AsTask()"),
                StringComparison.Ordinal),
        })),
        message);
}
