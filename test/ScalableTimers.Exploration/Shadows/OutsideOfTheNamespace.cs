// Sources in other namespaces find the shadows by these names; those of the core and this project find them by
// namespace.
global using CancellationTokenRegistration = ScalableTimers.CancellationTokenRegistration;
global using Debug = ScalableTimers.Debug;
global using Interlocked = ScalableTimers.Interlocked;
global using Thread = ScalableTimers.Thread;
global using ThreadPool = ScalableTimers.ThreadPool;
global using Volatile = ScalableTimers.Volatile;
