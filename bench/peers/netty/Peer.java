import io.netty.util.Version;
import java.util.Locale;

/**
 * Netty's HashedWheelTimer with a tick of 10 ms.
 *
 * <pre>java -cp ... Peer WORKLOAD full|quick, or version</pre>
 */
final class Peer {
    static final long TICK_MS = 10;

    private Peer() {
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 1 && arguments[0].equals("version")) {
            System.out.println(Version.identify().get("netty-common").artifactVersion());
            return;
        }
        check(arguments.length == 2, "usage: Peer WORKLOAD full|quick");
        String workload = arguments[0];
        Scale scale = arguments[1].equals("quick") ? new Scale(5, 1000, 1000) : new Scale(1, 2000, 2000);
        if (workload.startsWith("schedule") || workload.startsWith("firing")) {
            // More often than the others: the compiler has to see the code run before it compiles it.
            for (int i = 0; i < 3; i++) {
                run(workload, new Scale(10, 300, 0));
            }
        }
        System.out.println(run(workload, scale).line(workload, "Netty"));
        System.exit(0);
    }

    static void check(boolean isTrue, String what) {
        if (!isTrue) {
            System.err.println("Netty: " + what);
            System.exit(1);
        }
    }

    private static Result run(String workload, Scale scale) throws Exception {
        switch (workload) {
            case "schedule-cancel":
                return Pairs.run(0, 4_000_000, scale);
            case "schedule-cancel-1m":
                return Pairs.run(1_000_000, 4_000_000, scale);
            case "firing":
                return Firing.run(2_000_000, 1000, false, scale);
            case "firing-20k":
                return Firing.run(60_000, 3000, true, scale);
            case "pending-bytes":
                return Pending.bytes(scale);
            case "idle":
                return Pending.idle(scale);
            default:
                throw new IllegalArgumentException("no such workload");
        }
    }

    /** How much to do: the divisor is of the number of operations and of the time they are spread over; the lead comes before the first firing. */
    record Scale(int divisor, int leadMs, int idleMs) {
    }

    /** Values that a workload has no use for are not a number. */
    static final class Result {
        double ns = Double.NaN, cpuNs = Double.NaN, bytes = Double.NaN, early = Double.NaN;
        double lateP50 = Double.NaN, lateP99 = Double.NaN, lateP999 = Double.NaN, lateMax = Double.NaN;

        String line(String workload, String name) {
            StringBuilder line = new StringBuilder(workload + " " + name);
            for (double value : new double[] {ns, cpuNs, bytes, early, lateP50, lateP99, lateP999, lateMax}) {
                line.append(Double.isNaN(value) ? " -" : String.format(Locale.ROOT, " %.4f", value));
            }
            return line.toString();
        }
    }
}
