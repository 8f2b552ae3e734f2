import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import java.util.concurrent.TimeUnit;

/** What 1,000,000 pending timers hold, and what they cost while nothing is due. */
final class Pending {
    private static final TimerTask IGNORE = timeout -> { };

    private Pending() {
    }

    /** Without the list of them that is kept here. */
    static Peer.Result bytes(Peer.Scale scale) throws Exception {
        HashedWheelTimer timer = new HashedWheelTimer(Peer.TICK_MS, TimeUnit.MILLISECONDS);
        Timeout[] timeouts = new Timeout[1_000_000 / scale.divisor()];
        timer.newTimeout(IGNORE, 1, TimeUnit.HOURS).cancel();
        long before = heapBytes();
        schedule(timer, timeouts);
        Peer.Result result = new Peer.Result();
        result.bytes = (double) (heapBytes() - before) / timeouts.length;
        cancel(timer, timeouts);
        return result;
    }

    /** In nanoseconds of processor time a second. */
    static Peer.Result idle(Peer.Scale scale) throws Exception {
        HashedWheelTimer timer = new HashedWheelTimer(Peer.TICK_MS, TimeUnit.MILLISECONDS);
        Timeout[] timeouts = new Timeout[1_000_000];
        schedule(timer, timeouts);
        System.gc();
        Thread.sleep(1000);
        Usage before = Usage.now();
        Thread.sleep(scale.idleMs());
        Usage after = Usage.now();
        Peer.Result result = new Peer.Result();
        result.cpuNs = before.cpuUntil(after) * 1e9 / before.wallUntil(after);
        cancel(timer, timeouts);
        return result;
    }

    private static void schedule(HashedWheelTimer timer, Timeout[] timeouts) {
        for (int i = 0; i < timeouts.length; i++) {
            timeouts[i] = timer.newTimeout(IGNORE, 1, TimeUnit.HOURS);
        }
    }

    private static void cancel(HashedWheelTimer timer, Timeout[] timeouts) {
        for (Timeout timeout : timeouts) {
            Peer.check(timeout.cancel(), "a pending timer was lost");
        }
        timer.stop();
    }

    private static long heapBytes() throws InterruptedException {
        // The wheel takes its new timeouts over within a few ticks; until then they lie in a queue.
        Thread.sleep(500);
        System.gc();
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
