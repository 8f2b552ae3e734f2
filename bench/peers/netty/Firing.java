import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What it costs to schedule and fire a timer, and when they fire. All are scheduled before the first is due. */
final class Firing {
    private Firing() {
    }

    static Peer.Result run(int wanted, int wantedSpreadMs, boolean isCpuPerSecond, Peer.Scale scale) throws Exception {
        int count = wanted / scale.divisor();
        int spreadMs = wantedSpreadMs / scale.divisor();
        HashedWheelTimer timer = new HashedWheelTimer(Peer.TICK_MS, TimeUnit.MILLISECONDS);
        AtomicInteger left = new AtomicInteger(count);
        CountDownLatch allFired = new CountDownLatch(1);
        Shot[] shots = new Shot[count];
        for (int i = 0; i < count; i++) {
            shots[i] = new Shot(left, allFired);
        }
        // A linear congruential generator, the same in every program here.
        long random = 1;
        System.gc();

        Usage before = Usage.now();
        long first = before.wall + scale.leadMs() * 1_000_000L;
        for (Shot shot : shots) {
            // Due times are whole milliseconds from now, because that is all that some timers take.
            random = random * 6364136223846793005L + 1442695040888963407L;
            long at = first + (random >>> 33) % spreadMs * 1_000_000L;
            long now = System.nanoTime();
            long due = Math.max(0, (at - now + 999_999) / 1_000_000);
            shot.dueAt = now + due * 1_000_000;
            timer.newTimeout(shot, due, TimeUnit.MILLISECONDS);
        }
        long now = System.nanoTime();
        if (now > first) {
            System.err.println("Netty: scheduling took longer than the lead");
        }
        double bytesBefore = 0;
        if (isCpuPerSecond) {
            // Firing alone: from just before the first is due.
            Thread.sleep(Math.max(0, (first - now) / 1_000_000));
            Usage scheduled = Usage.now();
            bytesBefore = before.bytesUntil(scheduled);
            before = scheduled;
        }
        allFired.await();
        Usage after = Usage.now();
        timer.stop();

        double[] late = new double[count];
        int early = 0;
        for (int i = 0; i < count; i++) {
            Peer.check(shots[i].firedAt != 0, "a timer did not fire");
            late[i] = (shots[i].firedAt - shots[i].dueAt) / 1e6;
            early += late[i] < 0 ? 1 : 0;
        }
        Arrays.sort(late);
        Peer.Result result = new Peer.Result();
        result.cpuNs = isCpuPerSecond ? before.cpuUntil(after) * 1000 / spreadMs : before.cpuUntil(after) / count;
        result.bytes = (bytesBefore + before.bytesUntil(after)) / count;
        result.early = early;
        result.lateP50 = late[count / 2];
        result.lateP99 = late[(int) (count * 99L / 100)];
        result.lateP999 = late[(int) (count * 999L / 1000)];
        result.lateMax = late[count - 1];
        return result;
    }

    private static final class Shot implements TimerTask {
        private final AtomicInteger left;
        private final CountDownLatch allFired;
        private long dueAt;
        private long firedAt;

        Shot(AtomicInteger left, CountDownLatch allFired) {
            this.left = left;
            this.allFired = allFired;
        }

        @Override
        public void run(Timeout timeout) {
            Peer.check(firedAt == 0, "a timer fired twice");
            firedAt = System.nanoTime();
            if (left.decrementAndGet() == 0) {
                allFired.countDown();
            }
        }
    }
}
