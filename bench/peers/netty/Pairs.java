import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/** What a timeout of 30 seconds costs that is cancelled at once, on two threads. */
final class Pairs {
    private static final int THREADS = 2;
    private static final TimerTask MUST_NOT_RUN = timeout -> Peer.check(false, "a cancelled timer ran");

    private Pairs() {
    }

    static Peer.Result run(int pending, int wanted, Peer.Scale scale) throws Exception {
        int pairs = wanted / scale.divisor();
        HashedWheelTimer timer = new HashedWheelTimer(Peer.TICK_MS, TimeUnit.MILLISECONDS);
        CyclicBarrier start = new CyclicBarrier(THREADS + 1);
        CyclicBarrier end = new CyclicBarrier(THREADS + 1);
        CyclicBarrier counted = new CyclicBarrier(THREADS + 1);
        for (int t = 0; t < THREADS; t++) {
            new Thread(() -> {
                try {
                    // The others are spread over the threads that run, as they would be in a server.
                    Timeout[] others = new Timeout[pending / THREADS];
                    for (int i = 0; i < others.length; i++) {
                        others[i] = timer.newTimeout(MUST_NOT_RUN, 1, TimeUnit.HOURS);
                    }
                    repeat(timer, pairs / 5);
                    start.await();
                    repeat(timer, pairs);
                    end.await();
                    // The thread lives until it has been counted.
                    counted.await();
                    for (Timeout other : others) {
                        Peer.check(other.cancel(), "one of the others was lost");
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }).start();
        }
        while (start.getNumberWaiting() < THREADS) {
            Thread.sleep(1);
        }
        // The wheel takes its new timeouts over within a few ticks.
        Thread.sleep(300);
        Usage before = Usage.now();
        start.await();
        end.await();
        Usage after = Usage.now();
        counted.await();
        timer.stop();

        Peer.Result result = new Peer.Result();
        result.ns = before.wallUntil(after) / pairs;
        result.cpuNs = before.cpuUntil(after) / pairs / THREADS;
        result.bytes = before.bytesUntil(after) / pairs / THREADS;
        return result;
    }

    private static void repeat(HashedWheelTimer timer, int pairs) {
        for (int i = 0; i < pairs; i++) {
            Peer.check(timer.newTimeout(MUST_NOT_RUN, 30, TimeUnit.SECONDS).cancel(), "a timer could not be cancelled");
        }
    }
}
