package io.sigma.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;

/**
 * Configures logback as the shipped {@code conf/logback.xml} does, as long as nobody has changed that file. This needs
 * no XML parser and no reflection, which would be a part of each start and of the memory at rest. A changed file is
 * left to logback. Called once, when the first logger is made.
 */
public final class LogConfiguration extends ContextAwareBase implements Configurator {

    /** The property of logback that names its file. */
    static final String PROPERTY = "logback.configurationFile";

    /** The file in UTF-8, which {@link #configure} repeats. */
    static final String SHIPPED = """
            <configuration>
              <!-- Logs go to standard error; standard output carries only the line that says Sigma is ready. -->
              <appender name="stderr" class="ch.qos.logback.core.ConsoleAppender">
                <target>System.err</target>
                <encoder>
                  <pattern>%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z',UTC} %-5level [%thread] %logger{24} %msg%n</pattern>
                </encoder>
              </appender>

              <!-- A slow terminal or disk never blocks a request: \
            at most 8192 lines wait, what is shed is counted and said. -->
              <appender name="async" class="io.sigma.cli.SheddingAppender">
                <queueSize>8192</queueSize>
                <appender-ref ref="stderr"/>
              </appender>

              <logger name="io.netty" level="WARN"/>
              <logger name="io.vertx" level="WARN"/>
              <logger name="org.flywaydb" level="WARN"/>
              <root level="INFO">
                <appender-ref ref="async"/>
              </root>
            </configuration>
            """;

    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z',UTC} %-5level [%thread] %logger{24} %msg%n";

    private static final int QUEUE_SIZE = 8192;
    private static final List<String> QUIET = List.of("io.netty", "io.vertx", "org.flywaydb");

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (!isShipped(System.getProperty(PROPERTY, ""))) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
        stderr.setContext(context);
        stderr.setName("stderr");
        stderr.setTarget("System.err");
        stderr.setEncoder(encoder);
        stderr.start();
        SheddingAppender async = new SheddingAppender();
        async.setContext(context);
        async.setName("async");
        async.setQueueSize(QUEUE_SIZE);
        async.addAppender(stderr);
        async.start();
        QUIET.forEach(name -> context.getLogger(name).setLevel(Level.WARN));
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(async);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static boolean isShipped(String file) {
        byte[] shipped = SHIPPED.getBytes(StandardCharsets.UTF_8);
        try {
            Path path = Path.of(file);
            return !file.isEmpty()
                    && Files.size(path) == shipped.length
                    && Arrays.equals(Files.readAllBytes(path), shipped);
        } catch (IOException | RuntimeException e) {
            // Such as a URL, which logback takes too.
            return false;
        }
    }
}
