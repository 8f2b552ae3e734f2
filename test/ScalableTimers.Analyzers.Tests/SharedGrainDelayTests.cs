using ScalableTimers.Analyzers.Grains;
using ScalableTimers.Analyzers.Tests.Verification;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM012.</summary>
public class SharedGrainDelayTests
{
    [Fact]
    public Task Delay_HandedToAnotherGrain_IsFound() => Verify.FindsAsync<SharedGrainDelayAnalyzer>(
        """
        public interface IOther : IGrain
        {
            Task Take(IGrainDelay delay);
        }

        public class G(IGrainDelay delay) : Grain
        {
            private static IGrainDelay? s_delay;

            public IGrainDelay? Mine { get; set; }

            public async Task M(IOther other, G grain)
            {
                await other.Take([|delay|]);
                grain.N([|delay|]);
                _ = new G([|delay|]);
                [|s_delay = delay|];
                [|grain.Mine = delay|];
                [|s_delay ??= delay|];
            }

            public void N(IGrainDelay given)
            {
            }
        }
        """);

    [Fact]
    public Task Delay_OfTheSameActivation_IsNotFound() => Verify.FindsAsync<SharedGrainDelayAnalyzer>(
        """
        public class Helper(IGrainDelay delay)
        {
            public IGrainDelay Delay { get; } = delay;
        }

        public class Base(IGrainDelay delay) : Grain
        {
            protected IGrainDelay Waiting { get; } = delay;
        }

        public class G : Base
        {
            private IGrainDelay _delay;

            public G(IGrainDelay delay) : base(delay)
            {
                _delay = delay;
                this._delay = delay;
                N(delay);
                this.N(delay);
                Static(delay);
                _ = new Helper(delay);
                _delay.KeepAlive = false;
            }

            private void N(IGrainDelay given)
            {
            }

            private static void Static(IGrainDelay given)
            {
            }
        }
        """);

    [Fact]
    public Task GrainDelay_ThatIsNoneOrStaysInItsGrain_IsNotFound() => Verify.FindsAsync<SharedGrainDelayAnalyzer>(
        """
        public interface IHelped : IGrain
        {
            void Use(IGrainDelay given);
        }

        public class G(IGrainDelay delay) : Grain, IHelped
        {
            private static IGrainDelay? s_delay;

            public void M()
            {
                ((IHelped)this).Use(delay);
                s_delay = default;
                s_delay = default!;
            }

            void IHelped.Use(IGrainDelay given)
            {
            }

            public override string ToString() => "" + s_delay;
        }
        """);
}
