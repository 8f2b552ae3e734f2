using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Testing;
using Microsoft.Extensions.Time.Testing;

namespace ScalableTimers.Tests.Documentation;

/// <summary>The code of the page of recipes. Each recipe runs.</summary>
public sealed class RecipeSnippets : IDisposable
{
    private readonly FakeTimeProvider _clock = new();
    private readonly TimerService _timers;
    private readonly Channel<int> _handled = Channel.CreateUnbounded<int>();

    public RecipeSnippets() => _timers = new TimerService(new(), _clock);

    public void Dispose() => _timers.Dispose();

    [Fact]
    public async Task IdleTimeout_PushedAtEachRead_ClosesTheStreamWhenNothingArrives()
    {
        var (near, far) = await Connect();
        using var stream = new NetworkStream(near, ownsSocket: true);
        using var sender = far;
        var reading = ReadUntilIdle(stream, new byte[16], Handle, _timers);

        for (var i = 0; i < 3; i++)
        {
            await SendAndHandle(sender);
            _clock.Advance(TimeSpan.FromSeconds(20));
        }

        Assert.False(reading.IsCompleted);
        _clock.Advance(TimeSpan.FromSeconds(30));
        var end = await Record.ExceptionAsync(() => Wait.For(reading, "the end of the read"));
        Assert.True(end is null or IOException or ObjectDisposedException, $"{end}");
        Assert.False(near.Connected);
    }

    private static async Task ReadUntilIdle(
        Stream stream, Memory<byte> buffer, Func<Memory<byte>, Task> handle, TimerService timers)
    {
        var idle = TimeSpan.FromSeconds(30);
        using var timeout = timers.Schedule(static stream => stream.Dispose(), stream, idle);
        while (await stream.ReadAsync(buffer) is var count and > 0 && timeout.Reschedule(idle))
        {
            await handle(buffer[..count]);
        }
    }

    [Fact]
    public void Debounce_ManyRequests_RunsOnceWhenAllIsQuiet()
    {
        var saved = new List<TimeSpan>();
        var start = _clock.GetTimestamp();
        var document = new Document(_timers, () => saved.Add(_clock.GetElapsedTime(start)));
        for (var i = 0; i < 4; i++)
        {
            document.Change();
            _clock.Advance(TimeSpan.FromMilliseconds(200));
        }

        Assert.Empty(saved);
        _clock.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal([TimeSpan.FromMilliseconds(850)], saved);

        document.Change();
        _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(2, saved.Count);
    }

    private sealed class Document(TimerService timers, Action save)
    {
        private static readonly TimeSpan s_quiet = TimeSpan.FromMilliseconds(250);
        private ScheduledTimer _timer;

        internal void Change()
        {
            if (!_timer.Reschedule(s_quiet))
            {
                _timer = timers.Schedule(static document => document.Save(), this, s_quiet);
            }
        }

        private void Save() => save();
    }

    [Fact]
    public async Task Retry_FailsTwice_PausesLongerEachTime()
    {
        var attempts = 0;
        var retry = Retry(() => Task.FromResult(++attempts == 3), _timers, TestContext.Current.CancellationToken);

        Assert.Equal((1, 1L), (attempts, Pending));
        _clock.Advance(TimeSpan.FromMilliseconds(100));
        Wait.Until(() => attempts == 2 && Pending == 1, "the second pause");
        _clock.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal(2, attempts);
        _clock.Advance(TimeSpan.FromMilliseconds(100));

        await Wait.For(retry, "the third attempt");
        Assert.Equal(3, attempts);
    }

    private static async Task Retry(Func<Task<bool>> trySend, TimerService timers, CancellationToken cancellationToken)
    {
        for (var pause = TimeSpan.FromMilliseconds(100); !await trySend(); pause *= 2)
        {
            await timers.Delay(pause, cancellationToken);
        }
    }

    [Fact]
    public async Task TimeoutsByKey_OneIsAnswered_TheOtherTimesOut()
    {
        var questions = new Questions(_timers);
        var first = questions.Ask(1);
        var second = questions.Ask(2);

        questions.Answer(1, "Yes.");
        Assert.Equal("Yes.", await Wait.For(first, "the answer"));
        _clock.Advance(TimeSpan.FromSeconds(30));

        await Assert.ThrowsAsync<TimeoutException>(() => Wait.For(second, "the timeout"));
        Assert.Equal((0, 1L), (questions.Waiting, _timers.GetSnapshot().Cancelled));
    }

    public sealed class Questions(TimerService timers)
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<string>> _waiting = new();

        internal int Waiting => _waiting.Count;

        public async Task<string> Ask(int id)
        {
            var answer = _waiting[id] = new(TaskCreationOptions.RunContinuationsAsynchronously);
            using var timeout = timers.Schedule(
                static answer => answer.TrySetException(new TimeoutException()), answer, TimeSpan.FromSeconds(30));
            try
            {
                return await answer.Task;
            }
            finally
            {
                _waiting.TryRemove(id, out _);
            }
        }

        internal void Answer(int id, string text) => _waiting[id].TrySetResult(text);
    }

    [Fact]
    public async Task PeriodicJob_HostStops_EndsWithoutAnException()
    {
        var cleaned = Channel.CreateUnbounded<int>();
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<TimeProvider>(_clock).AddScalableTimers();
        builder.Services.AddSingleton<Func<CancellationToken, Task>>(
            token => cleaned.Writer.WriteAsync(1, token).AsTask());
        builder.Services.AddHostedService<Cleaner>();
        using var host = builder.Build();
        await host.StartAsync(TestContext.Current.CancellationToken);
        var timers = host.Services.GetRequiredService<TimerService>();
        for (var i = 0; i < 2; i++)
        {
            Wait.Until(() => timers.GetSnapshot().Pending == 1, "the pause");
            _clock.Advance(TimeSpan.FromMinutes(1));
            await Wait.For(cleaned.Reader.ReadAsync(TestContext.Current.CancellationToken).AsTask(), "the job");
        }

        await Wait.For(host.StopAsync(TestContext.Current.CancellationToken), "the stop");

        var cleaner = Assert.Single(host.Services.GetServices<IHostedService>().OfType<Cleaner>());
        Assert.True(cleaner.ExecuteTask!.IsCompletedSuccessfully);
    }

    public sealed class Cleaner(TimerService timers, Func<CancellationToken, Task> clean) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            while (await timers.TryDelay(TimeSpan.FromMinutes(1), stoppingToken))
            {
                await clean(stoppingToken);
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task OneToken_TimesOutOrIsCancelled_SaysWhich(bool timesOut)
    {
        var (near, far) = await Connect();
        using var stream = new NetworkStream(near, ownsSocket: true);
        using var silent = far;
        using var caller = new CancellationTokenSource();
        var read = Read(stream, new byte[16], _timers, caller.Token);

        if (timesOut)
        {
            _clock.Advance(TimeSpan.FromSeconds(30));
            await Assert.ThrowsAsync<TimeoutException>(() => Wait.For(read, "the timeout"));
        }
        else
        {
            await caller.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Wait.For(read, "the cancellation"));
        }

        Assert.Equal(0, Pending);
    }

    private static async Task<int> Read(
        Stream stream, Memory<byte> buffer, TimerService timers, CancellationToken cancellationToken)
    {
        using var source = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using var timeout = timers.CancelAfter(source, TimeSpan.FromSeconds(30));
        try
        {
            return await stream.ReadAsync(buffer, source.Token);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw new TimeoutException("Nothing could be read for 30 seconds.");
        }
    }

    [Fact]
    public async Task SocketLoop_NothingIsReceived_TimesOut()
    {
        var (near, far) = await Connect();
        using var socket = near;
        using var sender = far;
        var receiving = Receive(socket, new byte[16], Handle, _timers, TestContext.Current.CancellationToken);

        for (var i = 0; i < 3; i++)
        {
            Wait.Until(() => Pending == 1, "the timeout of a receive");
            _clock.Advance(TimeSpan.FromSeconds(20));
            await SendAndHandle(sender);
        }

        Wait.Until(() => Pending == 1, "the timeout of the last receive");
        _clock.Advance(TimeSpan.FromSeconds(30));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Wait.For(receiving, "the timeout"));
    }

    private static async Task Receive(
        Socket socket,
        Memory<byte> buffer,
        Func<Memory<byte>, Task> handle,
        TimerService timers,
        CancellationToken stoppingToken)
    {
        using var source = CancellationTokenSource.CreateLinkedTokenSource(stoppingToken);
        while (true)
        {
            int count;
            using (timers.CancelAfter(source, TimeSpan.FromSeconds(30)))
            {
                count = await socket.ReceiveAsync(buffer, source.Token);
            }

            if (count == 0)
            {
                return;
            }

            await handle(buffer[..count]);
        }
    }

    [Fact]
    public async Task HttpClient_NoAnswer_TimesOut()
    {
        using var handler = new Silence();
        var get = Get(handler, new Uri("http://localhost/"), _timers);

        _clock.Advance(TimeSpan.FromSeconds(31));

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Wait.For(get, "the timeout"));
    }

    private static async Task<string> Get(HttpMessageHandler handler, Uri uri, TimerService timers)
    {
        using var client = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan };
        return await client.GetStringAsync(uri, timers.GetTimeoutToken(TimeSpan.FromSeconds(30)));
    }

    [Fact]
    public async Task BusinessClock_TellsTheTimeOfDay_ServiceWaitsByTheSystems()
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Services.AddSingleton<TimeProvider, BusinessClock>();
        builder.Services.AddScalableTimers();
        using var host = builder.Build();
        var timers = host.Services.GetRequiredService<TimerService>();

        Assert.False(timers.GetSnapshot().IsVirtualTime);
        Assert.True(timers.TimeProvider.GetUtcNow() > TimeProvider.System.GetUtcNow().AddHours(1));
        var delay = timers.Delay(TimeSpan.FromMilliseconds(1), TestContext.Current.CancellationToken);
        await Wait.For(delay.AsTask(), "the delay");
    }

    [Fact]
    public async Task TestClock_BesideAServiceInRealTime_DrivesOnlyItsOwn()
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Services.AddSingleton<TimeProvider>(_clock).AddScalableTimers();
        builder.Services.AddKeyedScalableTimers("real").AddKeyedSingleton("real", TimeProvider.System);
        using var host = builder.Build();
        var real = host.Services.GetRequiredKeyedService<TimerService>("real");

        Assert.True(host.Services.GetRequiredService<TimerService>().GetSnapshot().IsVirtualTime);
        Assert.False(real.GetSnapshot().IsVirtualTime);
        await Wait.For(real.Delay(TimeSpan.FromMilliseconds(1), TestContext.Current.CancellationToken).AsTask(), "it");
    }

    public sealed class BusinessClock : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => base.GetUtcNow().AddHours(2);
    }

    [Fact]
    public void Logger_CallbackThrows_IsLogged()
    {
        var collector = new FakeLogCollector();
        using var loggers = LoggerFactory.Create(logging => logging.AddProvider(new FakeLoggerProvider(collector)));
        var options = new TimerServiceOptions { CallbackExceptions = CallbackExceptions.Log };
        using var timers = new TimerService(options, loggers.CreateLogger<TimerService>());

        timers.Schedule(static _ => throw new InvalidOperationException("No."), "state", TimeSpan.Zero);

        // In a busy process the service may also warn that its timer was late.
        Wait.Until(() => Thrown().Any(), "the log entry");
        Assert.Equal("No.", Assert.Single(Thrown()).Message);

        IEnumerable<Exception> Thrown() =>
            collector.GetSnapshot().Select(static entry => entry.Exception).OfType<Exception>();
    }

    private long Pending => _timers.GetSnapshot().Pending;

    private Task Handle(Memory<byte> bytes) => _handled.Writer.WriteAsync(bytes.Length).AsTask();

    private async Task SendAndHandle(Socket sender)
    {
        await sender.SendAsync(new byte[1], TestContext.Current.CancellationToken);
        var handled = _handled.Reader.ReadAsync(TestContext.Current.CancellationToken).AsTask();
        Assert.Equal(1, await Wait.For(handled, "what was sent"));
    }

    private static async Task<(Socket Near, Socket Far)> Connect()
    {
        using var listener = new Socket(SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var far = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await far.ConnectAsync(listener.LocalEndPoint!, TestContext.Current.CancellationToken);
        return (await listener.AcceptAsync(TestContext.Current.CancellationToken), far);
    }

    private sealed class Silence : HttpMessageHandler
    {
        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken)
        {
            await Task.Delay(Timeout.Infinite, cancellationToken);
            return new HttpResponseMessage();
        }
    }
}
