using BenchmarkDotNet.Running;
using ScalableTimers.Benchmarks;

BenchmarkSwitcher.FromAssembly(typeof(ScheduleThenCancelBenchmark).Assembly).Run(args);
