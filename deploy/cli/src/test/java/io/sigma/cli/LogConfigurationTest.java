package io.sigma.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
final class LogConfigurationTest {

    private static final Path SHIPPED = Path.of("src/main/dist/conf/logback.xml");

    @TempDir
    Path folder;

    private final List<LoggerContext> contexts = new ArrayList<>();

    @AfterEach
    void restore() {
        System.clearProperty(LogConfiguration.PROPERTY);
        contexts.forEach(LoggerContext::stop);
    }

    @Test
    void theShippedFileIsTheOneThatIsRepeated() throws IOException {
        assertThat(Files.readString(SHIPPED)).isEqualTo(LogConfiguration.SHIPPED);
        assertThat(ServiceLoader.load(Configurator.class)).hasAtLeastOneElementOfType(LogConfiguration.class);
    }

    @Test
    void configuresAsTheShippedFileDoes() throws JoranException {
        LoggerContext ours = new LoggerContext();
        assertThat(configured(ours, SHIPPED.toString()))
                .isEqualTo(Configurator.ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
        LoggerContext read = new LoggerContext();
        contexts.add(read);
        JoranConfigurator joran = new JoranConfigurator();
        joran.setContext(read);
        joran.doConfigure(SHIPPED.toFile());
        assertThat(described(ours)).isEqualTo(described(read)).contains("io.netty WARN true", "ROOT INFO true");
    }

    @Test
    void aChangedFileIsLeftToLogback() throws IOException {
        Path changed = folder.resolve("logback.xml");
        Files.writeString(changed, LogConfiguration.SHIPPED.replace("INFO", "WARN"));
        for (String file :
                List.of(changed.toString(), folder.resolve("none.xml").toString(), "http://a/b.xml", "")) {
            LoggerContext context = new LoggerContext();
            assertThat(configured(context, file)).isEqualTo(Configurator.ExecutionStatus.INVOKE_NEXT_IF_ANY);
            assertThat(root(context).iteratorForAppenders()).isExhausted();
        }
    }

    private Configurator.ExecutionStatus configured(LoggerContext context, String file) {
        contexts.add(context);
        System.setProperty(LogConfiguration.PROPERTY, file);
        return new LogConfiguration().configure(context);
    }

    private static Logger root(LoggerContext context) {
        return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    /** What a file can say: levels, and where lines go in which form. */
    private static List<String> described(LoggerContext context) {
        List<String> lines = new ArrayList<>();
        for (Logger logger : context.getLoggerList()) {
            Level level = logger.getLevel();
            if (level != null) {
                lines.add(logger.getName() + " " + level + " " + logger.isAdditive());
            }
            logger.iteratorForAppenders().forEachRemaining(appender -> lines.addAll(described(appender)));
        }
        return lines;
    }

    private static List<String> described(Appender<ILoggingEvent> appender) {
        List<String> lines = new ArrayList<>();
        lines.add(appender.getClass().getName() + " " + appender.getName() + " " + appender.isStarted());
        if (appender instanceof SheddingAppender shedding) {
            lines.add("queue of " + shedding.queueSize());
            shedding.iteratorForAppenders().forEachRemaining(target -> lines.addAll(described(target)));
        }
        if (appender instanceof ConsoleAppender<ILoggingEvent> console) {
            lines.add(console.getTarget());
        }
        if (appender instanceof OutputStreamAppender<ILoggingEvent> stream
                && stream.getEncoder() instanceof PatternLayoutEncoder encoder) {
            lines.add(encoder.getPattern() + " " + encoder.getCharset() + " " + encoder.isStarted() + " "
                    + stream.isImmediateFlush());
        }
        return lines;
    }
}
