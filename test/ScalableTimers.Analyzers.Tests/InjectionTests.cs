
namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM001: how a class gets what the fixed code needs.</summary>
public class InjectionTests
{
    [Fact]
    public Task Fix_NoConstructor_AddsAPrimaryOne() => Verify.FixesAsync(
        """
        -public sealed class G : Grain, IGrain
        +public sealed class G(IGrainDelay delay) : Grain, IGrain
        {
        -    public async Task M() => await [|Task.Delay(1)|];
        +    public async Task M() => await delay.Delay(TimeSpan.FromMilliseconds(1));

        -    public async Task N() => await [|Task.Delay(2)|];
        +    public async Task N() => await delay.Delay(TimeSpan.FromMilliseconds(2));
        }

        -public sealed class Generic<T>
        +public sealed class Generic<T>(IGrainDelay delay)
            : Grain
        {
        -    public async Task M() => await [|Task.Delay(1)|];
        +    public async Task M() => await delay.Delay(TimeSpan.FromMilliseconds(1));
        }
        """);

    [Fact]
    public Task Fix_Constructor_GetsAParameterAndTheClassAField() => Verify.FixesAsync(
        """
        public sealed class G : Grain
        {
        +    private readonly IGrainDelay _delay;
            private readonly string _name;

        -    public G(string name, int count = 1)
        +    public G(string name, IGrainDelay delay, int count = 1)
            {
        +        _delay = delay;
                _name = name + count;
            }

            public async Task<string> M()
            {
        -        await [|Task.Delay(1)|];
        -        await [|Task.Delay(2)|];
        +        await _delay.Delay(TimeSpan.FromMilliseconds(1));
        +        await _delay.Delay(TimeSpan.FromMilliseconds(2));
                return _name;
            }
        }

        public sealed class Brief : Grain
        {
        +    private readonly IGrainDelay _delay;
            private readonly string _name;

        -    public Brief(string name) => _name = name; // Why.
        +    public Brief(string name, IGrainDelay delay)
        +    {
        +        _delay = delay;
        +        _name = name; // Why.
        +    }

        -    public Task M() => [|Task.Delay(_name.Length)|];
        +    public Task M() => _delay.Delay(TimeSpan.FromMilliseconds(_name.Length)).AsTask();
        }
        """);

    [Fact]
    public Task Fix_NamesInUse_TakesOthers() => Verify.FixesAsync(
        """
        -public sealed class G(string name) : Grain
        +public sealed class G(string name, IGrainDelay grainDelay) : Grain
        {
            public async Task<string> M(TimeSpan delay)
            {
        -        await [|Task.Delay(delay)|];
        +        await grainDelay.Delay(delay);
                return name;
            }
        }

        public sealed class Plain : Grain
        {
        +    private readonly IGrainDelay delay;
            private readonly string name;

        -    public Plain(string name)
        +    public Plain(string name, IGrainDelay delay)
            {
        +        this.delay = delay;
                this.name = name;
            }

            public async Task<string> M()
            {
        -        await [|Task.Delay(1)|];
        +        await delay.Delay(TimeSpan.FromMilliseconds(1));
                return this.name;
            }
        }
        """);

    [Fact]
    public Task Fix_FieldOrPropertyExists_UsesIt() => Verify.FixesAsync(
        """
        public abstract class Base(IGrainDelay delay) : Grain
        {
            protected IGrainDelay Waiting { get; } = delay;
        }

        public sealed class Derived(IGrainDelay delay) : Base(delay)
        {
        -    public async Task M() => await [|Task.Delay(1)|];
        +    public async Task M() => await Waiting.Delay(TimeSpan.FromMilliseconds(1));
        }

        public sealed class Hidden : Grain
        {
            private readonly IGrainDelay wait;

            public Hidden(IGrainDelay wait)
            {
                this.wait = wait;
            }

        -    public async Task M(int wait) => await [|Task.Delay(wait)|];
        +    public async Task M(int wait) => await this.wait.Delay(TimeSpan.FromMilliseconds(wait));
        }
        """);

    [Fact]
    public Task Fix_ConstructorIsUnsuitable_IsNotOffered() => Verify.HasNoFixAsync(
        """
        public class Base : Grain
        {
            public async Task M() => await [|Task.Delay(1)|];
        }

        public sealed class Derived : Base;

        public sealed class Tested : Grain
        {
            public static Tested Make() => new();

            public async Task M() => await [|Task.Delay(1)|];
        }

        public sealed class Two : Grain
        {
            public Two()
            {
            }

            public Two(string name)
            {
            }

            public async Task M() => await [|Task.Delay(1)|];
        }

        public sealed class KeepsNothing : Grain
        {
            public KeepsNothing(IGrainDelay delay) => delay.KeepAlive = false;

            public async Task M() => await [|Task.Delay(1)|];
        }
        """);

    [Fact]
    public Task Fix_PartialClass_ChangesBothParts() => Verify.FixesAsync(
        [
            [
                """
                -public sealed partial class G : Grain
                +public sealed partial class G(IGrainDelay delay) : Grain
                {
                -    public async Task M() => await [|Task.Delay(1)|];
                +    public async Task M() => await delay.Delay(TimeSpan.FromMilliseconds(1));
                }
                """,
                """
                public sealed partial class G
                {
                -    public async Task N() => await [|Task.Delay(2)|];
                +    public async Task N() => await delay.Delay(TimeSpan.FromMilliseconds(2));
                }
                """,
            ],
        ]);

    [Fact]
    public Task Fix_WholeSolution_ChangesAllProjectsAndLeavesWhatHasNoFix() => Verify.FixesAsync(
        [
            [
                """
                public sealed class A : Grain
                {
                    public A() => [|Thread.Sleep(1)|];
                }
                """,
            ],
            [
                """
                -public sealed class B : Grain
                +public sealed class B(IGrainDelay delay) : Grain
                {
                -    public Task M() => [|Task.Delay(2)|];
                +    public Task M() => delay.Delay(TimeSpan.FromMilliseconds(2)).AsTask();
                }
                """,
            ],
        ]);

    [Fact]
    public Task Fix_NamespaceIsNotImported_ImportsIt() => Verify.FixesAsync(
        """
        +using System;
        using System.Threading.Tasks;
        +using Orleans.Timers.Scalable;

        namespace App;

        -public sealed class G : Orleans.Grain
        +public sealed class G(IGrainDelay delay) : Orleans.Grain
        {
        -    public async Task M() => await [|Task.Delay(1)|];
        +    public async Task M() => await delay.Delay(TimeSpan.FromMilliseconds(1));
        }
        """,
        usings: "");
}
