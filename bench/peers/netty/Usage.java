import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What the process has used up to a moment. Processor time comes from Linux, thread by thread and in nanoseconds: the JDK's own
 * figure comes in steps of 10 ms. Every thread counts, those of the collector and the compiler too.
 */
final class Usage {
    final long wall;
    private final Map<String, Long> cpuByThread = new HashMap<>();
    private final long allocated;

    private Usage() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        allocated = sum;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                String schedstat = Files.readString(task.resolve("schedstat"));
                cpuByThread.put(task.getFileName().toString(), Long.parseLong(schedstat.substring(0, schedstat.indexOf(' '))));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        wall = System.nanoTime();
    }

    static Usage now() {
        return new Usage();
    }

    double cpuUntil(Usage end) {
        long used = 0;
        for (Map.Entry<String, Long> thread : end.cpuByThread.entrySet()) {
            used += thread.getValue() - cpuByThread.getOrDefault(thread.getKey(), 0L);
        }
        return used;
    }

    double bytesUntil(Usage end) {
        return end.allocated - allocated;
    }

    double wallUntil(Usage end) {
        return end.wall - wall;
    }
}
