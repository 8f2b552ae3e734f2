using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using ScalableTimers;
using ScalableTimers.HealthChecks;

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddScalableTimers();
builder.Services.AddOptions<TimerServiceOptions>().BindConfiguration("ScalableTimers");
builder.Services.AddHealthChecks().AddScalableTimers();

using var host = builder.Build();
await host.StartAsync();
var report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
var options = host.Services.GetRequiredService<IOptions<TimerServiceOptions>>().Value;
Console.WriteLine($"{report.Status}, with a resolution of {options.Resolution}.");
await host.StopAsync();
