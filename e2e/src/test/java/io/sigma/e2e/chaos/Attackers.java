package io.sigma.e2e.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Attackers, and a node that answers badly, in a process of their own, at the lowest priority, as if they had another
 * machine: what they cost is not taken from the clients that are measured. Confined to one thread.
 */
final class Attackers implements AutoCloseable {

    private final Process process;
    private final BufferedReader said;
    private final OutputStream commands;
    private final int badPort;

    private Attackers(Process process) throws IOException {
        this.process = process;
        this.said = process.inputReader(StandardCharsets.UTF_8);
        this.commands = process.getOutputStream();
        this.badPort = Integer.parseInt(answer());
    }

    static Attackers start() throws IOException {
        return new Attackers(new ProcessBuilder(
                        "nice",
                        "-n",
                        "19",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Attackers.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /**
     * Says the port of the node, then reads orders from standard input, a line each, and says after each how often a
     * connection began.
     */
    public static void main(String[] arguments) throws IOException {
        System.out.println(ChaosNode.start().port());
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            List<String> words = List.of(order.split(" "));
            Target target = Target.parse(words);
            long millis = Long.parseLong(words.get(4));
            int connectionsMax = Integer.parseInt(words.get(5));
            List<Attack> attacks = Attacks.named(String.join(" ", words.subList(6, words.size())));
            System.out.println(Attacker.run(attacks, connectionsMax, target, millis));
        }
    }

    /** Runs attacks to their end; see {@link Attacker#run}. */
    long run(List<Attack> attacks, int connectionsMax, Target target, long millis) throws IOException {
        String order = String.join(" ", target.arguments()) + " " + millis + " " + connectionsMax + " "
                + attacks.stream().map(Attack::name).collect(Collectors.joining(" ")) + "\n";
        commands.write(order.getBytes(StandardCharsets.UTF_8));
        commands.flush();
        return Long.parseLong(answer());
    }

    private String answer() throws IOException {
        String answer = said.readLine();
        if (answer == null) {
            throw new IOException("the attackers ended");
        }
        return answer;
    }

    /** Returns the port of the node that answers badly. */
    int badPort() {
        return badPort;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
